import { testScripts } from '../../testing.js';

testScripts('print', [
  {
    script: "set -- -n hi; echo \"$@\"; echo -- x; echo -e 'a\\nb\\c' z; echo -E 'a\\nb'; echo -en 'x\\n'",
    bash: ['hi-- x\na\nba\\nb\nx\n', '', 0],
  },
]);
