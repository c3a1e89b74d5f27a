import { programs as text } from '../../text/index.js';
import { testCases } from '../../testing/run-tool.js';
import { programs } from '../index.js';

testCases({ ...text, ...programs }, [
  ['tr a-z A-Z < fruits', 'BANANA\nAPPLE\nCHERRY\nAPPLE\nBANANA\n\nDATE\n'],
  ['tr -d aeiou < fruits', 'bnn\nppl\nchrry\nppl\nBnn\n\ndt\n'],
  ['tr -s an < fruits', 'banana\napple\ncherry\napple\nBanana\n\ndate\n'],
  [
    "tr '[:lower:]' '[:upper:]' < table",
    'WEB-1 RUNNING 3 10M\nWEB-2 PENDING 0 5M\nDB-0 RUNNING 12 2D\nCACHE CRASHLOOPBACKOFF 120 1H\n',
  ],
  ["tr -cd '[:digit:]\\n' < table", '1310\n205\n0122\n1201\n'],
  [
    "tr -c a-z '\\n' < table",
    'web\n\n\n\nunning\n\n\n\n\nm\nweb\n\n\n\nending\n\n\n\nm\ndb\n\n\n\nunning\n\n\n\n\nd\ncache\n\nrash\noop\nack\nff\n\n\n\n\n\nh\n',
  ],
  [
    "tr ' ' '\\n' < long",
    'the\nquick\nbrown\nfox\njumps\nover\nthe\nlazy\ndog\nand\nruns\naway\nfrom\nthe\nvery\nlong\nsentence\nwhich\ngoes\non\nand\non\nuntil\nit\nends\nshort\n',
  ],
  [
    'tr a',
    '',
    {
      stderr:
        "tr: missing operand after 'a'\nTwo strings must be given when translating.\nTry 'tr --help' for more information.\n",
      code: 1,
    },
  ],
  ['tr -d', '', { stderr: "tr: missing operand\nTry 'tr --help' for more information.\n", code: 1 }],
  ['tr z-a x', '', { stderr: "tr: range-endpoints of 'z-a' are in reverse collating sequence order\n", code: 1 }],
  [
    'tr -d a b',
    '',
    {
      stderr:
        "tr: extra operand 'b'\nOnly one string may be given when deleting without squeezing repeats.\nTry 'tr --help' for more information.\n",
      code: 1,
    },
  ],
  ["tr '\\n' ',' < fruits", 'banana,apple,cherry,apple,Banana,,date,'],
]);
