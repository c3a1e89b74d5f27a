import { textOf } from '../../../../engine/kernel/bytes.js';
import type { Session } from '../../kubectl/session/session.js';
import type { Answer } from '../../kubectl/session/task.js';
import { error, info } from '../log.js';
import { compare, readSides } from './comparator.js';
import { errorOf, failureOf, type HttpInputs, type HttpMethod, type Outcome, type Probe } from './types.js';
import { timeoutsOf } from './timeouts.js';

const MAX_REDIRECTS = 10;

interface Asked {
  readonly method: string;
  readonly url: string;
  readonly body: string;
}

/** One attempt of an httpProbe. Models litmus-go/pkg/probe/httpprobe.go. */
export function runHttpProbe(session: Session, probe: Probe, url: string): Outcome {
  const inputs = probe['httpProbe/inputs'] ?? {};
  const isGet = inputs.method?.get !== undefined;
  const method: HttpMethod = inputs.method?.get ?? inputs.method?.post ?? {};
  logMethod(session, probe, url, inputs);
  const body = isGet ? '' : bodyOf(session, probe, method);
  if (typeof body !== 'string') return body;
  const asked = { method: isGet ? 'GET' : 'POST', url, body };
  const { answer, last } = ask(session, probe, inputs, asked, method.contentType ?? '');
  if (answer.failure !== undefined) {
    const verb = last.method === 'GET' ? 'Get' : 'Post';
    const reason = `${verb} ${JSON.stringify(last.url)}: ${answer.failure}`;
    return isOfNetwork(answer.failure) ? failureOf(probe, reason) : errorOf(probe, reason);
  }
  return judge(session, probe, method, url, String(answer.status));
}

/** Models utils.HttpTimeout and IsConnectionError. */
const isOfNetwork = (failure: string): boolean => /^(dial|read|write) tcp|Client\.Timeout/.test(failure);

function judge(session: Session, probe: Probe, method: HttpMethod, url: string, code: string): Outcome {
  const { criteria = '', responseCode = '' } = method;
  const comparison = { type: 'int', criteria, actual: code, expected: responseCode };
  const [actual, expected] = readSides(comparison);
  info(session, `[Probe]: {Actual value: ${actual}}, {Expected value: ${expected}}, {Operator: ${criteria}}`);
  const wrong = compare(comparison);
  if (wrong !== undefined) {
    const name = probe['httpProbe/inputs']?.method?.get ? 'get' : 'post';
    error(session, `The ${probe.name} http probe ${name} method has Failed, err: ${wrong}`);
    return failureOf(probe, wrong, probe.name);
  }
  const said = `Actual code: '${code}'. Expected code: '${responseCode}'`;
  return { description: `The URL ${url} did respond with correct status code. ${said}` };
}

/** The answer after all redirections, and what was asked last. Models http.Client's Do. */
function ask(
  session: Session,
  probe: Probe,
  { insecureSkipVerify = false }: HttpInputs,
  first: Asked,
  type: string,
): { readonly answer: Answer; readonly last: Asked } {
  let last = first;
  for (let left = MAX_REDIRECTS; ; left--) {
    const answer = request(session, probe, last, insecureSkipVerify, type);
    if (answer.location === undefined) return { answer, last };
    if (left === 0) return { answer: { ...answer, failure: `stopped after ${MAX_REDIRECTS} redirects` }, last };
    const keeps = answer.status === 307 || answer.status === 308;
    const url = joinUrl(last.url, answer.location);
    last = keeps ? { ...last, url } : { method: 'GET', url, body: '' };
  }
}

function request(session: Session, probe: Probe, asked: Asked, trustsAll: boolean, type: string): Answer {
  const scheme = /^([a-z][a-z\d+.-]*):\/\//i.exec(asked.url)?.[1]?.toLowerCase();
  const failure =
    scheme === undefined
      ? 'unsupported protocol scheme ""'
      : ['http', 'https'].includes(scheme)
        ? undefined
        : `unsupported protocol scheme "${scheme}"`;
  if (failure !== undefined) return { status: 0, body: '', failure };
  const { probeTimeout } = timeoutsOf(probe);
  const answer = session.call({
    ...{ path: '', accept: '*/*', method: asked.method, web: asked.url, body: asked.body, trustsAll },
    contentType: asked.method === 'POST' ? type : '',
    ...(probeTimeout > 0 ? { timeout: probeTimeout } : {}),
  });
  return answer.status === 0 && answer.failure === undefined
    ? { ...answer, failure: 'http: no Host in request URL' }
    : answer;
}

const joinUrl = (base: string, location: string): string =>
  /^[a-z][a-z\d+.-]*:\/\//i.test(location)
    ? location
    : (/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i.exec(base)?.[0] ?? '') + (location.startsWith('/') ? location : `/${location}`);

/** Models getHTTPBody. */
function bodyOf(session: Session, probe: Probe, { body = '', bodyPath = '' }: HttpMethod): string | Outcome {
  if (body !== '') return body;
  if (bodyPath === '') return errorOf(probe, '[Probe]: Any one of body or bodyPath is required');
  if (!session.sys.access(bodyPath, 'r')) {
    const why = `cat: ${bodyPath}: No such file or directory`;
    return errorOf(probe, `unable to run command, err: exit status 1; error output: ${why}\n`);
  }
  return textOf(session.readFile(bodyPath));
}

function logMethod(session: Session, { name, runProperties }: Probe, url: string, { method = {} }: HttpInputs): void {
  const { get, post = {} } = method;
  const timeout = runProperties?.probeTimeout ?? '';
  if (get) {
    const { criteria, responseCode } = get;
    info(session, '[Probe]: HTTP get method informations', {
      ...{ Name: name, URL: url, Criteria: criteria, ResponseCode: responseCode, ResponseTimeout: timeout },
    });
    return;
  }
  info(session, '[Probe]: HTTP Post method informations', {
    ...{ Name: name, URL: url, Body: post.body, BodyPath: post.bodyPath, ContentType: post.contentType },
    ResponseTimeout: timeout,
  });
}
