import { expect, test } from '@jest/globals';
import { programs } from '../index.js';
import { startMachine } from '../testing.js';
import { BOOT } from '../../../engine/kernel/testing.js';
import type { Texts } from '../kernel.js';

/** What a loop says of its texts after some iterations. */
function textsOf(script: string): Texts | undefined {
  const machine = startMachine('bash');
  machine.exec('c1', { argv: ['bash', '-c', script], terminal: false, stdin: false }, BOOT + 1);
  while (!machine.run(BOOT + 3_500));
  const process = [...machine.state.processes.values()].find(({ program }) => program === 'bash')!;
  const state = structuredClone(process.state) as { frames: { type: string; phase: string }[] };
  const loop = state.frames.findIndex(({ type }) => type === 'while');
  state.frames = state.frames.slice(0, loop + 1);
  state.frames[loop]!.phase = 'body';
  return programs['bash']!.textsOf!(state as never);
}

const loop = (body: string): string => `i=7; t=a; while true; do ${body}; sleep 1; done`;

test.each<[string, string[], string[] | undefined, string[] | undefined]>([
  ['echo "$i: $(date)"; i=$((i+1))', ['Sun Nov 22\n'], ['7: Sun Nov 22\n'], ['8', '1']],
  ['echo $i $(date)', [' a  b\n\n'], ['7 a b\n'], ['1']],
  ['echo "${i}x$(echo q)" -n', ['q\n'], ['7xq -n\n'], ['1']],
  ['echo -n $((i * 2)) >&2', [], ['14'], ['7', '1']],
  ['t=$(date); echo "$t."', ['now\n'], ['now.\n'], ['now', '1']],
  ['echo $(date)', ['*'], undefined, undefined],
  ['echo $(date)', [], undefined, undefined],
])('%s with %j prints %j', (body, answers, prints, values) => {
  const texts = textsOf(loop(body))!;
  const start = texts.paths.map((path) => (path[1] === 'i' ? '7' : path[1] === 't' ? 'a' : '1'));
  const course = texts.start(start);
  expect(course.next(answers)).toBe(prints !== undefined);
  expect(course.values).toEqual(values ?? start);
  if (prints) expect(course.prints).toEqual(prints);
});

test.each([
  'echo hello',
  'echo $i | cat',
  'echo $RANDOM $(date)',
  'echo $(date) > /tmp/x',
  'echo $(cat < /tmp/x)',
  'echo $(echo $i)',
  'echo "$(date)" & true',
  'if [ $i = 1 ]; then echo $i; fi; i=$((i+1))',
  'x=1 echo $(date)',
  'i+=1; echo $i',
  'echo *$i $(date)',
  'echo ${i:-x} $(date)',
  'printf "%s" "$(date)"',
  'set -x; echo $(date)',
  'export i; i=$((i+1))',
  'declare -i i; i=$((i+1))',
  'f() { date; }; echo $(f)',
  'eval "i=$((i+1))"',
])('%s is run', (body) => {
  expect(textsOf(loop(body))).toBeUndefined();
});
