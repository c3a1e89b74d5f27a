import { testScripts } from '../testing.js';

testScripts('problem', [
  {
    script: 'echo ${x^^}; echo y',
    dash: ['', 'sh: 1: Bad substitution\n', 2],
    ash: ['', 'sh: syntax error: bad substitution\n', 2],
    bash: ['\ny\n', '', 0],
  },
  {
    script: 'if true',
    dash: ['', 'sh: 1: Syntax error: end of file unexpected (expecting "then")\n', 2],
    ash: ['', 'sh: syntax error: unexpected end of file (expecting "then")\n', 2],
    bash: ['', 'bash: -c: line 2: syntax error: unexpected end of file\n', 2],
  },
  {
    script: 'echo $(ls',
    dash: ['', 'sh: 1: Syntax error: end of file unexpected (expecting ")")\n', 2],
    ash: ['', 'sh: syntax error: unexpected end of file (expecting ")")\n', 2],
    bash: ['', "bash: -c: line 2: unexpected EOF while looking for matching `)'\n", 2],
  },
  {
    script: 'f(',
    dash: ['', 'sh: 1: Syntax error: end of file unexpected (expecting ")")\n', 2],
    ash: ['', 'sh: syntax error: unexpected end of file (expecting ")")\n', 2],
    bash: ['', "bash: -c: line 1: syntax error near unexpected token `newline'\nbash: -c: line 1: `f('\n", 2],
  },
  {
    script: 'for x in a b',
    dash: ['', 'sh: 1: Syntax error: end of file unexpected\n', 2],
    ash: ['', 'sh: syntax error: unexpected end of file\n', 2],
    bash: ['', 'bash: -c: line 2: syntax error: unexpected end of file\n', 2],
  },
  {
    script: 'a | | b',
    dash: ['', 'sh: 1: Syntax error: "|" unexpected\n', 2],
    ash: ['', 'sh: syntax error: unexpected "|"\n', 2],
    bash: ['', "bash: -c: line 1: syntax error near unexpected token `|'\nbash: -c: line 1: `a | | b'\n", 2],
  },
  {
    script: 'do echo',
    dash: ['', 'sh: 1: Syntax error: "do" unexpected\n', 2],
    ash: ['', 'sh: syntax error: unexpected "do"\n', 2],
    bash: ['', "bash: -c: line 1: syntax error near unexpected token `do'\nbash: -c: line 1: `do echo'\n", 2],
  },
  {
    script: 'echo ${}; echo y',
    dash: ['', 'sh: 1: Bad substitution\n', 2],
    ash: ['', 'sh: syntax error: bad substitution\n', 2],
    bash: ['', 'bash: line 1: ${}: bad substitution\n', 1],
  },
  {
    script: 'if true; then',
    dash: ['', 'sh: 1: Syntax error: end of file unexpected (expecting "fi")\n', 2],
    ash: ['', 'sh: syntax error: unexpected end of file (expecting "fi")\n', 2],
    bash: ['', 'bash: -c: line 2: syntax error: unexpected end of file\n', 2],
  },
  {
    script: 'cat <<< hi',
    dash: ['', 'sh: 1: Syntax error: redirection unexpected\n', 2],
    ash: ['', 'sh: syntax error: unexpected redirection\n', 2],
    bash: ['hi\n', '', 0],
  },
  {
    script: 'for ((i=0;i<2;i++)); do echo $i; done',
    dash: ['', 'sh: 1: Syntax error: Bad for loop variable\n', 2],
    ash: ['', 'sh: syntax error: bad for loop variable\n', 2],
    bash: ['0\n1\n', '', 0],
  },
  {
    script: "eval 'echo \"'",
    dash: ['', 'sh: 1: eval: Syntax error: Unterminated quoted string\n', 2],
    ash: ['', 'sh: eval: line 0: syntax error: unterminated quoted string\n', 2],
    bash: ['', 'bash: eval: line 1: unexpected EOF while looking for matching `"\'\n', 2],
  },
  {
    script: 'while true; do echo x',
    dash: ['', 'sh: 1: Syntax error: end of file unexpected (expecting "done")\n', 2],
    ash: ['', 'sh: syntax error: unexpected end of file (expecting "done")\n', 2],
    bash: ['', 'bash: -c: line 2: syntax error: unexpected end of file\n', 2],
  },
  {
    script: '&& a',
    dash: ['', 'sh: 1: Syntax error: "&&" unexpected\n', 2],
    ash: ['', 'sh: syntax error: unexpected "&&"\n', 2],
    bash: ['', "bash: -c: line 1: syntax error near unexpected token `&&'\nbash: -c: line 1: `&& a'\n", 2],
  },
  {
    script: 'case a in\na) echo',
    dash: ['', 'sh: 2: Syntax error: end of file unexpected (expecting ";;")\n', 2],
    ash: ['', 'sh: syntax error: unexpected end of file (expecting ";;")\n', 2],
    bash: ['', 'bash: -c: line 3: syntax error: unexpected end of file\n', 2],
  },
  {
    script: 'echo <(echo)',
    dash: ['', 'sh: 1: Syntax error: "(" unexpected\n', 2],
    ash: ['/dev/fd/64\n', '', 0],
    bash: ['/dev/fd/63\n', '', 0],
  },
  {
    script: 'function f { echo; }; f',
    dash: ['', 'sh: 1: Syntax error: "}" unexpected\n', 2],
    ash: ['\n', '', 0],
    bash: ['\n', '', 0],
  },
  {
    script: 'a=(1 2)',
    dash: ['', 'sh: 1: Syntax error: "(" unexpected\n', 2],
    ash: ['', 'sh: syntax error: unexpected "("\n', 2],
    bash: ['', '', 0],
  },
  {
    script: 'while true',
    dash: ['', 'sh: 1: Syntax error: end of file unexpected (expecting "do")\n', 2],
    ash: ['', 'sh: syntax error: unexpected end of file (expecting "do")\n', 2],
    bash: ['', 'bash: -c: line 2: syntax error: unexpected end of file\n', 2],
  },
]);
