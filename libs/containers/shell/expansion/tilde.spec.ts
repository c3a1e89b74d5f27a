import { testScripts } from '../testing.js';

/** Words that begin with ~, and what they stand for where HOME is /root and $name is root. */
const WORDS: readonly (readonly [word: string, stands: string])[] = [
  ['~', '/root'],
  ['~/a', '/root/a'],
  ['"~"', '~'],
  ['\\~', '~'],
  ['~\\root', '~root'],
  ['a~', 'a~'],
  ['~$name', '~root'],
  ['~"$name"', '~root'],
  ["~'x'", '~x'],
  ['~/$name', '/root/root'],
  ['~$(echo root)', '~root'],
  ['~nobodyx', '~nobodyx'],
];
/** Values of variables. */
const VALUES: typeof WORDS = [
  ['~:~/bin', '/root:/root/bin'],
  ['a:~:~$name', 'a:/root:~root'],
];

testScripts(
  'home directories in words',
  WORDS.map(([word, stands]) => ({
    script: `HOME=/root; name=root; echo ${word}`,
    all: [`${stands}\n`, '', 0],
  })),
);

testScripts(
  'home directories in values',
  VALUES.map(([value, is]) => ({
    script: `HOME=/root; name=root; path=${value}; echo "$path"`,
    all: [`${is}\n`, '', 0],
  })),
);
