import { describe, expect, test } from '@jest/globals';
import { containerErrors } from '../../testing.js';

const at = 'spec.containers[0]';

describe('a probe', () => {
  test.each<[string, object, string[]]>([
    ['by HTTP', { livenessProbe: { httpGet: { port: 'http' } } }, []],
    [
      'without a handler',
      { readinessProbe: {} },
      [`${at}.readinessProbe: Required value: must specify a handler type`],
    ],
    [
      'with two handlers',
      { livenessProbe: { httpGet: { port: 80 }, tcpSocket: { port: 80 } } },
      [`${at}.livenessProbe.tcpSocket: Forbidden: may not specify more than 1 handler type`],
    ],
    ['by no command', { startupProbe: { exec: { command: [] } } }, [`${at}.startupProbe.exec.command: Required value`]],
    [
      'at no port',
      { livenessProbe: { tcpSocket: { port: 0 } } },
      [`${at}.livenessProbe.tcpSocket.port: Invalid value: 0: must be between 1 and 65535, inclusive`],
    ],
    [
      'by HTTP of another scheme',
      { livenessProbe: { httpGet: { port: 80, scheme: 'FTP' } } },
      [`${at}.livenessProbe.httpGet.scheme: Unsupported value: "FTP": supported values: "HTTP", "HTTPS"`],
    ],
    [
      'by HTTP with a header that is none',
      { livenessProbe: { httpGet: { port: 80, httpHeaders: [{ name: 'A B', value: '' }] } } },
      [
        `${at}.livenessProbe.httpGet.httpHeaders: Invalid value: "A B": a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')`,
      ],
    ],
    [
      'of less than no time',
      { readinessProbe: { grpc: { port: 1 }, periodSeconds: -1 } },
      [`${at}.readinessProbe.periodSeconds: Invalid value: -1: must be greater than or equal to 0`],
    ],
    [
      'of liveness that must succeed twice',
      { livenessProbe: { grpc: { port: 1 }, successThreshold: 2 } },
      [`${at}.livenessProbe.successThreshold: Invalid value: 2: must be 1`],
    ],
    ['of readiness that must succeed twice', { readinessProbe: { grpc: { port: 1 }, successThreshold: 2 } }, []],
    [
      'of readiness with a grace of its own',
      { readinessProbe: { grpc: { port: 1 }, terminationGracePeriodSeconds: 5 } },
      [`${at}.readinessProbe.terminationGracePeriodSeconds: Invalid value: 5: must not be set for readinessProbes`],
    ],
    [
      'of liveness without grace',
      { livenessProbe: { grpc: { port: 1 }, terminationGracePeriodSeconds: 0 } },
      [`${at}.livenessProbe.terminationGracePeriodSeconds: Invalid value: 0: must be greater than 0`],
    ],
  ])('%s', (_, container, errors) => expect(containerErrors({ ...container })).toEqual(errors));
});

describe('a hook', () => {
  test.each<[string, object, string[]]>([
    ['that sleeps', { preStop: { sleep: { seconds: 30 } } }, []],
    [
      'that sleeps longer than the pod has to end',
      { preStop: { sleep: { seconds: 60 } } },
      [
        `${at}.lifecycle.preStop.sleep: Invalid value: 60: must be non-negative and less than terminationGracePeriodSeconds (30)`,
      ],
    ],
    [
      'that does nothing',
      { postStart: {} },
      [`${at}.lifecycle.postStart: Required value: must specify a handler type`],
    ],
  ])('%s', (_, lifecycle, errors) => expect(containerErrors({ lifecycle })).toEqual(errors));
});
