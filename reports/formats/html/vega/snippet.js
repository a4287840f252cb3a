// What report.html takes out of the package, by the paths that the package has for its own files.
import * as wholeVega from "/npm/vega@6.2.0/+esm";
import { compile } from "/npm/vega-lite@6.4.1/+esm";
import { expressionInterpreter } from "/npm/vega-interpreter@2.0.0/+esm";
window.ladderVega = { vega: wholeVega, compile, expressionInterpreter };
