import { beforeEach, expect, test } from '@jest/globals';
import { ClusterBed } from '../../testkit/beds/cluster-bed.js';
import { Pods } from '../kinds/index.js';
import type { SessionReference } from '../machinery/requests/sessions.js';

const USER = { name: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] };
const SESSION = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-protocol': 'v5.channel.k8s.io' };
const START_S = 30;

let bed: ClusterBed;
let seconds: number;

function exec(query: string): SessionReference {
  const path = '/api/v1/namespaces/default/pods/web/exec';
  const { now } = bed.cluster.state;
  const answer = bed.cluster.handle({ method: 'GET', path, query, user: USER, headers: SESSION, takesEnd: true }, now);
  if (answer.type !== 'session' || !answer.opened.session) throw new Error(JSON.stringify(answer));
  return answer.opened.session;
}
const command = (...words: string[]): string =>
  [...words.map((word) => `command=${encodeURIComponent(word)}`), 'stdout=true'].join('&');
const settle = (): void => void bed.at((seconds += 1));

beforeEach(() => {
  bed = new ClusterBed();
  bed.create(Pods, 'web', { spec: { containers: [{ name: 'c', image: 'nginx:1.27' }] } });
  bed.at((seconds = START_S));
  // The first one is written down as a snapshot.
  exec(command('true'));
  settle();
});

test.each([
  [false, ['echo', 'hello']],
  [false, ['ls', '/']],
  [true, ['touch', '/tmp/a']],
  [true, ['sh', '-c', 'sleep 100 & true']],
  [true, ['sleep', '5']],
  [true, ['sh', '-c', 'kill -QUIT 1']],
])('the components have work %j after %j', (expected, words) => {
  expect(bed.cluster.wantsAdvance()).toBe(false);
  exec(command(...words));
  expect(bed.cluster.wantsAdvance()).toBe(expected);
});

test('so has a line that is typed into a shell, when it leaves something', () => {
  const session = exec(`${command('sh')}&stdin=true&tty=true`);
  settle();
  const work = ['echo hello\n', 'x=5\n', 'touch /tmp/a\n'].map((stdin) => {
    bed.cluster.handleSession({ type: 'input', session, input: { stdin } }, bed.cluster.state.now);
    const wants = bed.cluster.wantsAdvance();
    settle();
    return wants;
  });
  expect(work).toEqual([false, false, true]);
});
