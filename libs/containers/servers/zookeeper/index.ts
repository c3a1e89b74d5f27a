import type { Program } from '../../../engine/kernel/process/program.js';
import { makeCli } from './cli/client.js';
import { zookeeper } from './server/server.js';

/** ZooKeeper: a tree of nodes that lies in its data directory, and that an ensemble shares. */
export const programs: Readonly<Record<string, Program>> = {
  'zookeeper:java': zookeeper,
  'zookeeper:zkCli': makeCli(false),
  'zookeeper:zkCli-3.4': makeCli(true),
};
