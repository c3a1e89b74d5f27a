import type { Program } from '../../../engine/kernel/process/program.js';
import { kafka } from './broker/server.js';
import { consumerGroups } from './tools/consumer-groups.js';
import { consumer } from './tools/consumer.js';
import { producer } from './tools/producer.js';
import { apiVersions, getOffsets, topics } from './tools/topics.js';

/** Kafka: a broker that keeps topics, and the tools of its distribution. */
export const programs: Readonly<Record<string, Program>> = {
  'kafka:java': kafka,
  'kafka:topics': topics,
  'kafka:console-producer': producer,
  'kafka:console-consumer': consumer,
  'kafka:consumer-groups': consumerGroups,
  'kafka:get-offsets': getOffsets,
  'kafka:broker-api-versions': apiVersions,
};
