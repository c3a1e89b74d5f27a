import workers from 'node:worker_threads';
import zlib from 'node:zlib';

/**
 * undici, which @kubernetes/client-node 2 brings along, needs these; Node.js has them from 22 on. Nothing
 * here is compressed by Zstandard or cloned between threads. Import this first, and the client not before the tests
 * run.
 */
const [compression, threads] = [
  zlib as unknown as Record<string, unknown>,
  workers as unknown as Record<string, unknown>,
];

compression['createZstdDecompress'] ??= (): never => {
  throw new Error('Zstandard is not in this version of Node.js');
};
threads['markAsUncloneable'] ??= (): void => undefined;
(Promise as unknown as Record<string, unknown>)['withResolvers'] ??= (): object => {
  let [resolve, reject]: ((value?: unknown) => void)[] = [];
  const promise = new Promise((...both) => ([resolve, reject] = both));
  return { promise, resolve, reject };
};
