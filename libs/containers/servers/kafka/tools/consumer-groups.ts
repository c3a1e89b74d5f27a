import type { Bytes } from '../../../../engine/kernel/bytes.js';
import type { GroupRow } from '../broker/groups.js';
import { textIn, type Message } from '../wire.js';
import { defineKafkaTool, timedOut, type Talking } from './kafka-tool.js';
import type { Options } from './options.js';

type Own = { request: Message; shows: 'offsets' | 'members' | 'state' };
type MemberRow = { readonly id: Bytes; readonly address: Bytes; readonly client: Bytes; readonly count: number };

const ACTIONS = ['list', 'describe', 'delete', 'reset-offsets'];
const TO = ['to-earliest', 'to-latest', 'to-current', 'to-offset', 'shift-by'];

/** `kafka-consumer-groups.sh`. Left out: all groups and topics at once, times, files, states of --list. */
export const consumerGroups = defineKafkaTool<Own>({
  client: 'AdminClient clientId=adminclient-1',
  values: ['group', 'topic', 'to-offset', 'shift-by', 'timeout'],
  flags: [
    ...ACTIONS,
    'members',
    'state',
    'offsets',
    'verbose',
    'execute',
    'dry-run',
    'to-earliest',
    'to-latest',
    'to-current',
  ],
  unsimulated: ['all-groups', 'all-topics', 'delete-offsets', 'to-datetime', 'by-duration', 'from-file', 'export'],
  timedOut: () =>
    timedOut('consumer group', 'listGroups', 'org.apache.kafka.tools.consumer.group.ConsumerGroupCommand'),
  start(options) {
    const [action, ...others] = ACTIONS.filter((one) => options.has(one));
    if (action === undefined || others.length > 0)
      return 'Command must include exactly one action: --list, --describe, --delete, --reset-offsets, --delete-offsets.';
    const group = options.value('group');
    if (group === undefined && action !== 'list')
      return `Option [${action}] takes one of these options: [all-groups], [group]`;
    const shows = options.has('members') ? 'members' : options.has('state') ? 'state' : 'offsets';
    const request = requestOf(action, group ?? '', options);
    return typeof request === 'string' ? request : { request, shows };
  },
  ready: (tool) => tool.send(tool.own.request),
  take(tool, answer) {
    const { own } = tool;
    const group = textIn(own.request, 'group');
    const { error } = answer;
    if (error !== undefined) {
      tool.err(
        `\n${explain(textIn(answer, 'error'), group, own.request['api'] === 'forget', textIn(answer, 'message'))}\n`,
      );
      return tool.exit(1);
    }
    print(tool, answer, group);
    tool.exit(0);
  },
});

function requestOf(action: string, group: Bytes, options: Options): Message | string {
  if (action === 'list') return { api: 'groups' };
  if (action === 'describe') return { api: 'group', group };
  if (action === 'delete') return { api: 'forget', group };
  const [to, ...others] = TO.filter((one) => options.has(one));
  if (to === undefined || others.length > 0)
    return 'Option [reset-offsets] takes exactly one of: [to-offset], [shift-by], [to-earliest], [to-latest], [to-current].';
  const named = options.value('topic');
  if (named === undefined) return 'Option [reset-offsets] takes one of these options: [all-topics], [topic]';
  const [topic = '', partition] = named.split(':');
  const by = options.value(to === 'shift-by' ? 'shift-by' : 'to-offset') ?? '0';
  if (!/^-?\d{1,15}$/.test(by)) return `Cannot parse argument '${by}' of option ${to}`;
  return {
    ...{ api: 'reset', group, topic, by: Number(by), executes: options.has('execute') },
    to: { 'shift-by': 'shift', 'to-offset': 'offset' }[to] ?? to.slice('to-'.length),
    ...(partition === undefined ? {} : { partition: Number(partition) }),
  };
}

function explain(error: Bytes, group: Bytes, isDeletion: boolean, message: Bytes): Bytes {
  if (error === 'ActiveGroup')
    return `Error: Assignments can only be reset if the group '${group}' is inactive, but the current state is Stable.`;
  const cause = `org.apache.kafka.common.errors.${error}: ${message}`;
  if (isDeletion)
    return `Error: Deletion of some consumer groups failed:\n* Group '${group}' could not be deleted due to: java.util.concurrent.ExecutionException: ${cause}`;
  if (error === 'GroupIdNotFoundException') return `Error: Consumer group '${group}' does not exist.`;
  return `Error: Executing consumer group command failed due to ${cause}`;
}

const pad = (text: Bytes, width: number): Bytes => text.padEnd(width);
const widest = (words: readonly Bytes[]): number => Math.max(15, ...words.map(({ length }) => length));

function print(tool: Talking<Own>, answer: Message, group: Bytes): void {
  const { request, shows } = tool.own;
  const { api } = request;
  if (api === 'groups') tool.out((answer['groups'] as Bytes[]).map((name) => `${name}\n`).join(''));
  if (api === 'forget') tool.out(`Deletion of requested consumer groups ('${group}') was successful.\n`);
  if (api === 'reset') tool.out(resetTable(answer['rows'] as unknown as readonly GroupRow[], group));
  if (api !== 'group') return;
  const isEmpty = answer['state'] === 'Empty';
  if (isEmpty) tool.err(`\nConsumer group '${group}' has no active members.\n`);
  const members = answer['members'] as unknown as readonly MemberRow[];
  if (shows === 'offsets') tool.out(offsetTable(answer['rows'] as unknown as readonly GroupRow[], group));
  else if (shows === 'members') tool.out(isEmpty ? '' : memberTable(members, group));
  else tool.out(stateTable(textIn(answer, 'state'), members.length, group, tool.node));
}

function offsetTable(rows: readonly GroupRow[], group: Bytes): Bytes {
  const [g, t, m, h] = [
    widest([group]),
    widest(rows.map(({ topic }) => topic)),
    widest(rows.map(({ member }) => member)),
    widest(rows.map(({ host }) => host)),
  ];
  const line = (
    ...[
      name = '',
      topic = '',
      partition = '',
      offset = '',
      end = '',
      lag = '',
      member = '',
      host = '',
      client = '',
    ]: Bytes[]
  ): Bytes =>
    `\n${pad(name, g)} ${pad(topic, t)} ${pad(partition, 10)} ${pad(offset, 15)} ${pad(end, 15)} ${pad(lag, 15)} ${pad(member, m)} ${pad(host, h)} ${client}`;
  const head = line(
    'GROUP',
    'TOPIC',
    'PARTITION',
    'CURRENT-OFFSET',
    'LOG-END-OFFSET',
    'LAG',
    'CONSUMER-ID',
    'HOST',
    'CLIENT-ID',
  );
  const body = rows.map(({ topic, partition, offset, end, member, host, client }) =>
    line(
      group,
      topic,
      String(partition),
      offset === null ? '-' : String(offset),
      String(end),
      offset === null ? '-' : String(end - offset),
      member,
      host,
      client,
    ),
  );
  return `${head}${body.join('')}\n`;
}

function memberTable(members: readonly MemberRow[], group: Bytes): Bytes {
  const [g, m, h, c] = [
    widest([group]),
    widest(members.map(({ id }) => id)),
    widest(members.map(({ address }) => `/${address}`)),
    widest(members.map(({ client }) => client)),
  ];
  const line = (name: Bytes, id: Bytes, host: Bytes, client: Bytes, count: Bytes): Bytes =>
    `\n${pad(name, g)} ${pad(id, m)} ${pad(host, h)} ${pad(client, c)} ${pad(count, 15)} `;
  const rows = members.map(({ id, address, client, count }) => line(group, id, `/${address}`, client, String(count)));
  return `${line('GROUP', 'CONSUMER-ID', 'HOST', 'CLIENT-ID', '#PARTITIONS')}${rows.join('')}\n`;
}

function stateTable(state: Bytes, members: number, group: Bytes, { id, host, port }: Talking<Own>['node']): Bytes {
  const coordinator = `${host}:${port} (${id})`;
  const [g, c] = [widest([group]), Math.max(25, coordinator.length)];
  const line = (name: Bytes, place: Bytes, strategy: Bytes, is: Bytes, count: Bytes): Bytes =>
    `\n${pad(name, g)} ${pad(place, c)} ${pad(strategy, 20)} ${pad(is, 20)} ${count}`;
  return `${line('GROUP', 'COORDINATOR (ID)', 'ASSIGNMENT-STRATEGY', 'STATE', '#MEMBERS')}${line(group, coordinator, members > 0 ? 'range' : '', state, String(members))}\n`;
}

const resetTable = (rows: readonly GroupRow[], group: Bytes): Bytes => {
  const line = (name: Bytes, topic: Bytes, partition: Bytes, offset: Bytes): Bytes =>
    `\n${pad(name, 30)} ${pad(topic, 30)} ${pad(partition, 10)} ${pad(offset, 15)}`;
  const body = rows.map(({ topic, partition, offset }) => line(group, topic, String(partition), String(offset)));
  return `${line('GROUP', 'TOPIC', 'PARTITION', 'NEW-OFFSET')}${body.join('')}\n`;
};
