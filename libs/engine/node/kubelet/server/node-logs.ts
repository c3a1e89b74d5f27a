import type { Node } from '../../../api/core_v1.js';
import type { PodHttpAnswer } from '../../../machinery/requests/http.js';
import type { Query } from '../../../machinery/requests/query.js';
import { unescapePath } from '../../../machinery/requests/unescape.js';
import { SECOND, type Millis } from '../../../machinery/time/time.js';
import type { Machines } from '../../cri/machines.js';
import { onNode, SHELL, shellPod } from '../../host/shell/node-shell.js';
import { findQueryProblem, journalCommand, parseLogQuery, type LogQuery } from './log-query.js';

const TEXT = { 'content-type': 'text/plain; charset=utf-8' };
const HTML = { 'content-type': 'text/html; charset=utf-8' };
const FOLDER = '/var/log/';
/** Of a command on the node. Models kubelet_server_journal.go Copy. */
const TIME_LIMIT: Millis = 30 * SECOND;
/** Services that write to the node's journal. */
const JOURNALED: readonly string[] = ['kubelet', 'containerd'];
/** What a path is, then its content: a folder's names, with a slash behind those of folders. */
const SHOW = 'if [ -d "$0" ]; then echo d; ls -1Ap "$0/"; elif [ -f "$0" ]; then echo f; cat "$0"; else echo n; fi';

/** What the kubelet may show of its node's logs. */
export interface LogServer {
  readonly node: Node;
  readonly machines: Machines;
  readonly now: Millis;
  /** Its configuration's enableSystemLogQuery. */
  readonly isQueried: boolean;
}

const fail = (status: number, text: string): PodHttpAnswer => ({ status, headers: TEXT, body: `${text}\n` });

/**
 * Answers for a path below '/logs/' with its query: files and folders of the node's /var/log, or what a service has
 * logged. Throws ApiError 400: a bad escape in the path. Models pkg/kubelet/kubelet.go Run (logServer),
 * kubelet_server_journal.go. Left out: gzip.
 */
export function serveNodeLogs(server: LogServer, path: string, query: Query): PodHttpAnswer {
  const asked = server.isQueried ? parseLogQuery(query) : undefined;
  if (asked === undefined) return serveFile(server, unescapePath(path));
  if ('problem' in asked) return fail(400, asked.problem);
  if (path !== '' && path !== '/') return fail(406, 'path not allowed in query mode');
  const problem = findQueryProblem(asked, (file) => show(server, file).kind !== 'n');
  if (problem !== undefined) return fail(406, problem);
  if (asked.services.length === 0) return serveFile(server, asked.files[0]!.replaceAll('\\', '/').replace(/^\//, ''));
  const body = serviceLogs(server, asked);
  return { status: 200, headers: { 'content-type': 'text/plain;charset=UTF-8' }, body };
}

/** Those that the journal knows by what it has, the others by a file of their name. */
function serviceLogs(server: LogServer, query: LogQuery): string {
  const journaled = query.services.filter((name) => JOURNALED.includes(name.replace(/\.service$/, '')));
  const filed = query.services.filter((name) => !journaled.includes(name));
  const journal = journaled.length === 0 ? '' : run(server, journalCommand(query, journaled));
  if (filed.length === 0) return journal;
  if (query.hasOptions)
    return `${journal}\noptions present and query resolved to log files for [${filed.join(' ')}]\ntry without specifying options\n`;
  return journal + filed.map((name) => fileOfService(server, name)).join('');
}

function fileOfService(server: LogServer, name: string): string {
  for (const path of [name, `${name}.log`, `${name}/${name}.log`]) {
    const { kind, content } = show(server, path);
    if (kind === 'f') return content;
  }
  return `\nlog not found for ${name}\n`;
}

/** Models net/http FileServer. */
function serveFile(server: LogServer, path: string): PodHttpAnswer {
  const { kind, content } = show(server, path);
  if (kind === 'n') return fail(404, '404 page not found');
  const name = path.replace(/\/$/, '').split('/').at(-1) ?? '';
  if (kind === 'd' && path !== '' && !path.endsWith('/'))
    return { status: 301, headers: { location: `${name}/` }, body: '' };
  if (kind === 'f' && path.endsWith('/')) return { status: 301, headers: { location: `../${name}` }, body: '' };
  return kind === 'f' ? { status: 200, headers: TEXT, body: content } : listing(content);
}

function listing(content: string): PodHttpAnswer {
  const names = content.split('\n').filter(Boolean).sort();
  const rows = names.map((name) => `<a href="${encodeURI(name)}">${escape(name)}</a>\n`).join('');
  const head = '<!doctype html>\n<meta name="viewport" content="width=device-width">\n';
  return { status: 200, headers: HTML, body: `${head}<pre>\n${rows}</pre>\n` };
}

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&#34;');

function show(server: LogServer, path: string): { readonly kind: string; readonly content: string } {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.includes('..') || path.includes('\0')) return { kind: 'n', content: '' };
  const output = run(server, ['sh', '-c', SHOW, FOLDER + parts.join('/')]);
  return { kind: output.slice(0, 1), content: output.slice(2) };
}

/** What a command on the node prints, which leaves no trace there. */
function run({ node, machines, now }: LogServer, command: readonly string[]): string {
  const view = machines.viewOf(shellPod(node));
  const { containerID = '' } = view.statuses.get(SHELL) ?? {};
  return machines.tryCommand(view, containerID, onNode(command), now, TIME_LIMIT).output;
}
