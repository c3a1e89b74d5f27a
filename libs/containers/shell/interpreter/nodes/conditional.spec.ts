import { testScripts } from '../../testing.js';

testScripts('conditional', [
  {
    script:
      'echo $((3 > 2 && 1 < 2)) $((1 ? 2 : 3)) $(( (1+2) * 3 )) $((10 % 3)) $((-5 / 2)) $((1 - -1)) $((!0)) $((5 == 5))',
    all: ['1 2 9 1 -2 2 1 1\n', '', 0],
  },
  {
    script: 'for ((i=0;i<3;i++)); do echo -n "$i "; done; echo; ((i+=5)); echo $i; ((0)); echo $?; ((i>3)) && echo big',
    bash: ['0 1 2 \n8\n1\nbig\n', '', 0],
  },
  {
    script: 'echo $(( $(echo 3) + ${x:-4} )); a[$((1+1))]=q; echo ${a[2]}; i=1; echo ${a[i+1]}',
    bash: ['7\nq\nq\n', '', 0],
  },
  { script: 'if [[ $(echo a) == a ]]; then echo eq; fi; [[ a -nt b ]]; echo $?', bash: ['eq\n1\n', '', 0] },
  {
    script: '[[ 1 -eq 1/0 ]]; echo $?; a=(1 2); echo ${a[1/0]}; echo no',
    bash: [
      '1\n',
      'bash: line 1: [[: 1/0: division by 0 (error token is "0")\nbash: line 1: 1/0: division by 0 (error token is "0")\n',
      1,
    ],
  },
]);
