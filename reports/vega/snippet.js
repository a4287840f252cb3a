window.ladderVega = { vega, vegaLite, vegaEmbed };
