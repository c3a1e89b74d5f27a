import { expect, test } from '@jest/globals';
import { errorsOf } from '../../testing.js';
import { kind } from './kind.js';

const addresses = [{ ip: '10.0.0.1' }];
const LABEL =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";

test.each<[string, object, string[]]>([
  ['one address and port', { addresses, ports: [{ port: 80 }] }, []],
  [
    'no address',
    { ports: [{ port: 80 }] },
    ['subsets[0]: Required value: must specify `addresses` or `notReadyAddresses`'],
  ],
  [
    'this host',
    { addresses: [{ ip: '127.0.0.1' }], ports: [{ port: 1 }] },
    ['subsets[0].addresses[0].ip: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128)'],
  ],
  [
    'a name that is no label',
    { notReadyAddresses: [{ ip: '10.0.0.1', hostname: 'A' }] },
    [`subsets[0].notReadyAddresses[0].hostname: Invalid value: "A": ${LABEL}`],
  ],
  [
    'two ports without names',
    { addresses, ports: [{ port: 80 }, { port: 81, name: 'b' }] },
    ['subsets[0].ports[0].name: Required value'],
  ],
  [
    'a port out of range',
    { addresses, ports: [{ port: 0 }] },
    ['subsets[0].ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive'],
  ],
  [
    'an unknown protocol',
    { addresses, ports: [{ port: 80, protocol: 'HTTP' }] },
    ['subsets[0].ports[0].protocol: Unsupported value: "HTTP": supported values: "SCTP", "TCP", "UDP"'],
  ],
])('a subset of %s', (_, subset, errors) => expect(errorsOf(kind, { subsets: [subset] })).toEqual(errors));
