import { expect, test } from '@jest/globals';
import { runLine } from '../../testing/run-line.js';
import { programs } from '../index.js';

const LONG = 'averylongpasswordthatismorethansixtyfourcharacterslongtotesttheblocksofthecrypt';
const run = (line: string) => runLine({ openssl: programs['openssl:openssl']! }, line, { '/two': 'a\nb\n' });

/** What the real tool prints. */
test.each([
  ['openssl passwd -1 -salt abcdefgh pw', '$1$abcdefgh$IQtUouv7y7Q9dRWkQEPCc.\n'],
  ['openssl passwd -salt ab pw', '$1$ab$b2XAKzcGJvTR.javvk3280\n'],
  ['openssl passwd -apr1 -salt abcdefgh pw', '$apr1$abcdefgh$5VEbMkemELfbhC5ck.U.z1\n'],
  ['openssl passwd -5 -salt saltsalt pw', '$5$saltsalt$0rl.MZtoLLPP3X0Rdl8riRnphIcAXJY27/aOAyK2hB5\n'],
  [
    'openssl passwd -6 -salt saltsalt pw',
    '$6$saltsalt$pauPrmdmG4BTE9h2HPmywiw152IFch6BJCEsaY6D.PLTfpV8sqvXwWdyfsgVgozkYH9B80bAip/08R2BPH2xk/\n',
  ],
  [
    `openssl passwd -6 -salt x ${LONG}`,
    '$6$x$JNh0uefc6/9OBF2WgUHD9F.UEbPQ.9S4BRMIyR48OqLxKvGKRjIvnXC5Yt5C3LDsKRM8fi47BXIWtxUUFEZCE1\n',
  ],
  ['echo pw | openssl passwd -1 -salt a -stdin', '$1$a$Slr4opLRbq0iJ7N2AZjfg/\n'],
  ['openssl passwd -1 -salt ab -table pw', 'pw\t$1$ab$b2XAKzcGJvTR.javvk3280\n'],
  ['openssl passwd -1 -salt ab -in /two', '$1$ab$NM4FR4Dl/CzoTSJTd3YJ3.\n$1$ab$8NnOxVcTuHUw1sps.X7/Q1\n'],
])('%s', (line, stdout) => expect(run(line)).toEqual({ stdout, stderr: '', code: 0 }));

test.each([
  ['openssl passwd pw', /^\$1\$[./0-9A-Za-z]{8}\$[./0-9A-Za-z]{22}\n$/],
  ['openssl passwd -6 pw', /^\$6\$[./0-9A-Za-z]{16}\$[./0-9A-Za-z]{86}\n$/],
])('%s has a salt of its own', (line, pattern) => expect(run(line).stdout).toMatch(pattern));

test.each([
  ['openssl passwd -x', 'passwd: Unknown option: -x\npasswd: Use -help for summary.\n'],
  ['openssl passwd', 'passwd: a password from the terminal is not simulated here: name it, or use -stdin\n'],
])('%s', (line, stderr) => expect(run(line)).toEqual({ stdout: '', stderr, code: 1 }));
