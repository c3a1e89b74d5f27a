import { testScripts } from '../testing.js';

testScripts('arithmetic-expansion', [
  {
    script: 'echo $((2147483647 + 1)) $((9223372036854775807 + 1))',
    all: ['2147483648 -9223372036854775808\n', '', 0],
  },
  { script: 'cat <<< "a $((1+1)) \'q\'"; tr a b <<< aaa', bash: ["a 2 'q'\nbbb\n", '', 0] },
  {
    script: 'x=3; y=$((x * x)); echo $y; : $((z = y + 1)); echo $z; echo $((x+=2)) $x $((x<<=1)) $x',
    all: ['9\n10\n5 5 10 10\n', '', 0],
  },
  {
    script: 'declare -i n; n=1/0; echo no',
    bash: ['', 'bash: line 1: 1/0: division by 0 (error token is "0")\n', 1],
  },
]);
