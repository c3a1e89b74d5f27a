/** Probes and lifecycle hooks. Models validateProbe, validateHandler, validateLifecycle of pkg/apis/core/validation. */
import type { Container, LifecycleHandler, PodSpec, Probe } from '../../../../../api/core_v1.js';
import {
  forbiddenField,
  invalidValue,
  notSupported,
  required,
  type FieldError,
  type Path,
} from '../../../../../machinery/meta/field.js';
import {
  invalidEach,
  isHTTPHeaderName,
  isPortName,
  isPortNumber,
  NOT_NEGATIVE,
} from '../../../../../machinery/meta/validation.js';

const HANDLERS = ['exec', 'httpGet', 'tcpSocket', 'grpc', 'sleep'] as const;
const DURATIONS = [
  'initialDelaySeconds',
  'timeoutSeconds',
  'periodSeconds',
  'successThreshold',
  'failureThreshold',
] as const;
const SCHEMES = ['HTTP', 'HTTPS'];
const numberedSignals = (from: number, to: number, prefix: string): string[] =>
  Array.from({ length: to - from + 1 }, (_, i) => prefix + (from + i));
const SIGNALS = [
  ...[
    'ABRT',
    'ALRM',
    'BUS',
    'CHLD',
    'CLD',
    'CONT',
    'FPE',
    'HUP',
    'ILL',
    'INT',
    'IO',
    'IOT',
    'KILL',
    'PIPE',
    'POLL',
    'PROF',
    'PWR',
    'QUIT',
    'RTMAX',
    'RTMIN',
    'SEGV',
    'STKFLT',
    'STOP',
    'SYS',
    'TERM',
    'TRAP',
    'TSTP',
    'TTIN',
    'TTOU',
    'URG',
    'USR1',
    'USR2',
    'VTALRM',
    'WINCH',
    'XCPU',
    'XFSZ',
  ].map((name) => `SIG${name}`),
  ...numberedSignals(1, 14, 'SIGRTMAX-'),
  ...numberedSignals(1, 15, 'SIGRTMIN+'),
].sort();
const WINDOWS_SIGNALS = ['SIGKILL', 'SIGTERM'];

type Handler = Pick<Probe, 'exec' | 'httpGet' | 'tcpSocket' | 'grpc'> & Pick<LifecycleHandler, 'sleep'>;

export function validateHandlers(container: Container, spec: PodSpec, path: Path, errors: FieldError[]): void {
  const graceSeconds = spec.terminationGracePeriodSeconds;
  const { lifecycle, livenessProbe, readinessProbe, startupProbe } = container;
  if (lifecycle?.postStart)
    validateHandler(lifecycle.postStart, graceSeconds, path.child('lifecycle', 'postStart'), errors);
  if (lifecycle?.preStop) validateHandler(lifecycle.preStop, graceSeconds, path.child('lifecycle', 'preStop'), errors);
  if (lifecycle?.stopSignal !== undefined)
    validateStopSignal(lifecycle.stopSignal, spec.os?.name, path.child('lifecycle', 'stopSignal'), errors);
  if (livenessProbe) validateRestartingProbe(livenessProbe, path.child('livenessProbe'), errors);
  if (readinessProbe) {
    const at = path.child('readinessProbe');
    validateProbe(readinessProbe, at, errors);
    const grace = readinessProbe.terminationGracePeriodSeconds;
    if (grace !== undefined)
      errors.push(
        invalidValue(at.child('terminationGracePeriodSeconds'), grace, 'must not be set for readinessProbes'),
      );
  }
  if (startupProbe) validateRestartingProbe(startupProbe, path.child('startupProbe'), errors);
}

function validateStopSignal(signal: string, os: string | undefined, path: Path, errors: FieldError[]): void {
  if (os === undefined)
    return void errors.push(forbiddenField(path, 'may not be set for containers with empty `spec.os.name`'));
  const supported = os === 'windows' ? WINDOWS_SIGNALS : SIGNALS;
  if ((os === 'windows' || os === 'linux') && !supported.includes(signal))
    errors.push(notSupported(path, signal, supported));
}

function validateRestartingProbe(probe: Probe, path: Path, errors: FieldError[]): void {
  validateProbe(probe, path, errors);
  if (probe.successThreshold !== 1)
    errors.push(invalidValue(path.child('successThreshold'), probe.successThreshold, 'must be 1'));
}

function validateProbe(probe: Probe, path: Path, errors: FieldError[]): void {
  validateHandler(probe, undefined, path, errors);
  for (const field of DURATIONS) {
    const value = probe[field];
    if (value !== undefined && value < 0) errors.push(invalidValue(path.child(field), value, NOT_NEGATIVE));
  }
  const grace = probe.terminationGracePeriodSeconds;
  if (grace !== undefined && grace <= 0)
    errors.push(invalidValue(path.child('terminationGracePeriodSeconds'), grace, 'must be greater than 0'));
}

function validateHandler(handler: Handler, graceSeconds: number | undefined, path: Path, errors: FieldError[]): void {
  const named = HANDLERS.filter((name) => handler[name] !== undefined);
  if (named.length === 0) errors.push(required(path, 'must specify a handler type'));
  if (named[0]) validateHandlerType(named[0], handler, graceSeconds, path, errors);
  for (const name of named.slice(1))
    errors.push(forbiddenField(path.child(name), 'may not specify more than 1 handler type'));
}

function validateHandlerType(
  name: (typeof HANDLERS)[number],
  handler: Handler,
  graceSeconds: number | undefined,
  path: Path,
  errors: FieldError[],
): void {
  switch (name) {
    case 'exec':
      if (!handler.exec?.command?.length) errors.push(required(path.child('exec', 'command')));
      break;
    case 'httpGet':
      validateHttpGet(handler.httpGet!, path.child('httpGet'), errors);
      break;
    case 'tcpSocket':
      validatePort(handler.tcpSocket!.port ?? 0, path.child('tcpSocket', 'port'), errors);
      break;
    case 'grpc':
      validatePort(handler.grpc!.port ?? 0, path.child('grpc', 'port'), errors);
      break;
    case 'sleep': {
      const { seconds = 0 } = handler.sleep!;
      if (graceSeconds !== undefined && (seconds < 0 || seconds > graceSeconds)) {
        errors.push(
          invalidValue(
            path.child('sleep'),
            seconds,
            `must be non-negative and less than terminationGracePeriodSeconds (${graceSeconds})`,
          ),
        );
      }
    }
  }
}

function validateHttpGet(http: NonNullable<Handler['httpGet']>, path: Path, errors: FieldError[]): void {
  if (!http.path) errors.push(required(path.child('path')));
  validatePort(http.port ?? 0, path.child('port'), errors);
  if (!SCHEMES.includes(http.scheme ?? '')) errors.push(notSupported(path.child('scheme'), http.scheme ?? '', SCHEMES));
  for (const { name = '' } of http.httpHeaders ?? [])
    errors.push(...invalidEach(path.child('httpHeaders'), name, isHTTPHeaderName(name)));
}

function validatePort(port: number | string, path: Path, errors: FieldError[]): void {
  errors.push(...invalidEach(path, port, typeof port === 'number' ? isPortNumber(port) : isPortName(port)));
}
