# What the set-up has to say to whoever runs ./ladder.
file(REMOVE ${PROJECT_BINARY_DIR}/refused ${PROJECT_BINARY_DIR}/left-out)

# refuse(<sentence>): ends the configuration. ./ladder shows the sentence alone.
function(refuse sentence)
  file(WRITE ${PROJECT_BINARY_DIR}/refused "${sentence}\n")
  message(FATAL_ERROR "${sentence}")
endfunction()

# note(<sentence>): ./ladder shows it, and goes on.
function(note sentence)
  message(STATUS "${sentence}")
  file(APPEND ${PROJECT_BINARY_DIR}/left-out "${sentence}\n")
endfunction()
