import type { Bytes } from '../../../../engine/kernel/bytes.js';
import { ERROR, int, long } from '../wire.js';

/** A node of the tree, as plain data. */
export type Node = {
  data: Bytes;
  created: number;
  changed: number;
  /** Transactions: of its creation, its data, its children. */
  czxid: number;
  mzxid: number;
  pzxid: number;
  version: number;
  cversion: number;
  /** The session that it ends with; 0: none. */
  owner: number;
};
/** All nodes by path; `zxid` is the last transaction. */
export type Tree = { zxid: number; nodes: Record<Bytes, Node> };

/** What changes the tree. */
export type Change =
  | { type: 'create'; path: Bytes; data: Bytes; owner: number; isSequential: boolean }
  | { type: 'delete'; path: Bytes; version: number }
  | { type: 'set'; path: Bytes; data: Bytes; version: number }
  /** All nodes of sessions that have ended. */
  | { type: 'end'; path: Bytes; owners: number[] };

const MAX_NODES = 20_000;
const MAX_BYTES = 4 << 20;

const makeNode = (zxid: number, at: number, data: Bytes, owner: number): Node => ({
  ...{ data, created: at, changed: at, czxid: zxid, mzxid: zxid, pzxid: zxid, version: 0, cversion: 0, owner },
});

export function makeTree(): Tree {
  const names = ['/', '/zookeeper', '/zookeeper/quota'];
  return { zxid: 0, nodes: Object.fromEntries(names.map((path) => [path, makeNode(0, 0, '', 0)])) };
}

/** Whether plain data from a file or another server is a tree. */
export function isTree(value: unknown): value is Tree {
  const tree = value as Partial<Tree> | null;
  return typeof tree?.zxid === 'number' && typeof tree.nodes === 'object' && tree.nodes !== null;
}

export function isChange(value: unknown): value is Change {
  const change = value as Partial<Extract<Change, { type: 'create' }>> | null;
  if (typeof change?.path !== 'string') return false;
  const type = String(change.type);
  if (type === 'end') return Array.isArray((value as { owners?: unknown }).owners);
  return type === 'delete' || ((type === 'create' || type === 'set') && typeof change.data === 'string');
}

export const copyTree = ({ zxid, nodes }: Tree): Tree => ({
  zxid,
  nodes: Object.fromEntries(Object.entries(nodes).map(([path, node]) => [path, { ...node }])),
});

export const findNode = ({ nodes }: Tree, path: Bytes): Node | undefined =>
  Object.hasOwn(nodes, path) ? nodes[path] : undefined;

const parentOf = (path: Bytes): Bytes => path.slice(0, Math.max(1, path.lastIndexOf('/')));

export function childrenOf({ nodes }: Tree, path: Bytes): Bytes[] {
  const start = path === '/' ? '/' : `${path}/`;
  return Object.keys(nodes)
    .filter((one) => one.length > start.length && one.startsWith(start) && !one.includes('/', start.length))
    .map((one) => one.slice(start.length))
    .sort();
}

const isPath = (path: Bytes): boolean =>
  path === '/' || (path.startsWith('/') && !path.endsWith('/') && !path.includes('//') && path.length < 1_024);

/** Changes the tree by one transaction; gives the path, or an error's number and no change. */
export function applyChange(tree: Tree, change: Change, zxid: number, at: number): Bytes | number {
  if (!isPath(change.path)) return ERROR.badArguments;
  if (change.type === 'create') return create(tree, change, zxid, at);
  if (change.type === 'end') return endSessions(tree, change.owners, zxid);
  const node = findNode(tree, change.path);
  if (node === undefined) return ERROR.noNode;
  if (change.version !== -1 && change.version !== node.version) return ERROR.badVersion;
  tree.zxid = zxid;
  if (change.type === 'set') {
    Object.assign(node, { data: change.data, changed: at, mzxid: zxid, version: node.version + 1 });
    return change.path;
  }
  if (childrenOf(tree, change.path).length > 0) return ERROR.notEmpty;
  delete tree.nodes[change.path];
  touchParent(tree, change.path, zxid);
  return change.path;
}

function create(tree: Tree, change: Extract<Change, { type: 'create' }>, zxid: number, at: number): Bytes | number {
  const parent = findNode(tree, parentOf(change.path));
  if (parent === undefined) return ERROR.noNode;
  if (parent.owner !== 0) return ERROR.noChildrenOfEphemerals;
  const path = change.isSequential ? `${change.path}${String(parent.cversion).padStart(10, '0')}` : change.path;
  if (findNode(tree, path) !== undefined) return ERROR.nodeExists;
  const size = Object.values(tree.nodes).reduce((sum, { data }) => sum + data.length, change.data.length);
  if (Object.keys(tree.nodes).length >= MAX_NODES || size > MAX_BYTES) return ERROR.badArguments;
  tree.nodes[path] = makeNode(zxid, at, change.data, change.owner);
  tree.zxid = zxid;
  touchParent(tree, path, zxid);
  return path;
}

function endSessions(tree: Tree, owners: readonly number[], zxid: number): Bytes {
  tree.zxid = zxid;
  for (const [path, { owner }] of Object.entries(tree.nodes)) {
    if (owner === 0 || !owners.includes(owner)) continue;
    delete tree.nodes[path];
    touchParent(tree, path, zxid);
  }
  return '/';
}

function touchParent(tree: Tree, path: Bytes, zxid: number): void {
  const parent = findNode(tree, parentOf(path));
  if (parent) Object.assign(parent, { cversion: parent.cversion + 1, pzxid: zxid });
}

/** A node's Stat as a record. */
export const formatStat = (tree: Tree, path: Bytes, node: Node): Bytes =>
  [
    ...[node.czxid, node.mzxid, node.created, node.changed].map(long),
    ...[node.version, node.cversion, 0].map(int),
    long(node.owner),
    int(node.data.length),
    int(childrenOf(tree, path).length),
    long(node.pzxid),
  ].join('');
