import { expect, test } from '@jest/globals';
import { speakHttp } from '../../../../containers/servers/http.js';
import { defineServer } from '../../../../containers/servers/serve.js';
import { BOOT, containerOf, imageOf, programsOf } from '../../../kernel/testing.js';
import type { PodHttpRequest } from '../../../machinery/requests/http.js';
import { BoundedMachine } from '../looks/bounded-machine.js';
import { tryRequest } from './ask-machine.js';

const server = defineServer<{ size: number }>({
  start: (argv) => ({ size: Number(argv[1]) }),
  begin: (running) => running.listen(80),
  ...speakHttp<{ size: number }>({ answer: (_request, { own }) => ({ status: 200, body: 'x'.repeat(own.size) }) }),
});

const REQUEST: PodHttpRequest = { scheme: 'http', port: 80, method: 'GET', path: '/', headers: {}, body: '' };

test.each([10, 65_536, 700_000])('an answer of %i bytes comes whole', (size) => {
  const files = imageOf({ serve: server });
  const copy = new BoundedMachine({ id: 'm', seed: 1, bootedAt: BOOT, programs: programsOf({ serve: server }) });
  copy.start(containerOf(files, { argv: ['/bin/serve', String(size)] }), BOOT);
  copy.run(BOOT);
  const found = tryRequest(copy, REQUEST, '10.244.1.2', BOOT).proceed();
  expect(found).toMatchObject({ result: { status: 200 } });
  expect((found as { result: { body: string } }).result.body.length).toBe(size);
});
