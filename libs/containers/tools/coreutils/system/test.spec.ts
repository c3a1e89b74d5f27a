import { programs as text } from '../../text/index.js';
import { testCases } from '../../testing.js';
import { programs } from '../index.js';

testCases({ ...text, ...programs }, [
  ['test 1 -eq 1', ''],
  ['test 1 -gt 2', '', { stderr: '', code: 1 }],
  ['test a = a -a b = c', '', { stderr: '', code: 1 }],
  ['test a = a -o b = c', ''],
  ['test -f fruits', ''],
  ['test -d dir', ''],
  ['test -s empty', '', { stderr: '', code: 1 }],
  ['test -e nope', '', { stderr: '', code: 1 }],
  ['test ! -e nope', ''],
  ["test -z ''", ''],
  ['test', '', { stderr: '', code: 1 }],
  ['test a -eq 1', '', { stderr: "test: invalid integer 'a'\n", code: 2 }],
  ['[ 1 -lt 2 ]', ''],
  ['[ 1 -lt 2', '', { stderr: "[: missing ']'\n", code: 2 }],
  ['[ -n abc -a -r fruits ]', ''],
  ["[ '(' a = a ')' ]", ''],
  ['[ a b ]', '', { stderr: "[: missing argument after 'b'\n", code: 2 }],
  ['[ a b c ]', '', { stderr: "[: 'b': binary operator expected\n", code: 2 }],
  ['[ fruits -ef fruits ]', ''],
  ['test a -eq 1', '', { stderr: "test: invalid integer 'a'\n", code: 2 }],
  ['[ 1 -lt 2', '', { stderr: "[: missing ']'\n", code: 2 }],
  ['[ a b ]', '', { stderr: "[: missing argument after 'b'\n", code: 2 }],
  ['[ a b c ]', '', { stderr: "[: 'b': binary operator expected\n", code: 2 }],
  ['test -x dir', ''],
]);
