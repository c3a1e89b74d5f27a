import { expect, test } from '@jest/globals';
import type { Pod } from '../../api/core_v1.js';
import type { NameAnswer } from '../../kernel/process/syscalls.js';
import type { Process } from '../cri/image.js';
import { node, NOW, pod, process, readerOf } from '../kubelet/testing.js';
import { askNameServer, type NameNetwork } from './ask-name-server.js';
import type { NameQuestion } from './question.js';

const podAt = (ip: string): Pod => pod({ dnsPolicy: 'Default' }, { podIP: ip, hostIP: '172.18.0.2' });
const serverOf = (answerName: (question: NameQuestion) => NameAnswer): Process => process({ answerName });
const found = (question: NameQuestion, data: string): NameAnswer => ({
  ...{ code: 'NOERROR', delay: 0 },
  records: [{ name: question.name, type: question.type, ttl: 5, data }],
});
const SERVERS: Readonly<Record<string, Process>> = {
  '10.0.0.1': serverOf((question) => found(question, question.from)),
  '10.0.0.2': serverOf(({ ask, name, type }) => ask('10.0.0.1', name, type)),
  '10.0.0.3': serverOf(({ ask, name, type }) => ask('10.0.0.3', name, type)),
  '10.0.0.4': serverOf((question) => found(question, question.nameservers.join())),
  '10.0.0.5': process({ listens: [53] }),
  '10.0.0.7': serverOf(() => ({ code: 'NXDOMAIN', records: [], delay: 20 })),
};
const network: NameNetwork = {
  read: readerOf(node()),
  walk: (_from, address) => (address === '10.0.0.9' ? { failure: 'lost' } : { pod: podAt(address) }),
  serverIn: ({ status }) => SERVERS[status.podIP ?? ''],
};

const tell = ({ code, failure, records, delay }: NameAnswer): string =>
  [failure ?? code, ...records.map(({ data }) => data), `after ${delay} ms`].join(' ');

test.each([
  ['a server', '10.0.0.1', 'NOERROR 10.244.1.2 after 1 ms'],
  ['one that asks another, which sees who asks it', '10.0.0.2', 'NOERROR 10.0.0.2 after 2 ms'],
  ['one that asks itself', '10.0.0.3', 'lost after 0 ms'],
  ['one that asks whom its node asks', '10.0.0.4', 'NOERROR 172.18.0.1 after 1 ms'],
  ['a pod that is no name server', '10.0.0.5', 'refused after 0 ms'],
  ['a pod where nobody listens', '10.0.0.6', 'refused after 0 ms'],
  ['one that takes its time to deny', '10.0.0.7', 'NXDOMAIN after 21 ms'],
  ['an address that nothing comes back from', '10.0.0.9', 'lost after 0 ms'],
  ['the router of the nodes, which nobody walks to', '172.18.0.1', 'SERVFAIL after 0 ms'],
  ['the first address of another network', '172.19.0.1', 'refused after 0 ms'],
])('%s', (_case, server, expected) => {
  expect(tell(askNameServer(network, podAt('10.244.1.2'), server, 'example.com', 'A', NOW))).toBe(expected);
});
