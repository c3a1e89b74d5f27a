import { defineFault } from '../fault-type.js';

export const fault = defineFault({
  name: 'EtcdSlowDisk',
  about: 'The disk of etcd is slow.',
  symptoms: 'writes take as long; past 7 s: etcdserver: request timed out',
  selects: 'cluster',
  parameters: { latency: { type: 'duration', default: '2s', about: 'of each write' } },
  effects: ({ values }) => [{ does: 'etcd', fault: 'slow-disk', latencyMs: values.ms('latency') }],
});
