import type { Program } from '../../engine/kernel/process/program.js';
import { programs as agnhost } from './agnhost/index.js';
import { programs as apps } from './apps/index.js';
import { programs as calico } from './calico/index.js';
import { programs as cilium } from './cilium/index.js';
import { programs as clients } from './databases/index.js';
import { programs as etcd } from './etcd/index.js';
import { programs as httpd } from './httpd/index.js';
import { programs as kafka } from './kafka/index.js';
import { programs as multus } from './multus/index.js';
import { programs as nginx } from './nginx/index.js';
import { programs as rabbitmq } from './rabbitmq/index.js';
import { programs as redis } from './redis/index.js';
import { programs as wardle } from './wardle/index.js';
import { programs as zookeeper } from './zookeeper/index.js';

/** Servers as images have them, by image and name. */
export const programs: Readonly<Record<string, Program>> = {
  ...agnhost,
  ...apps,
  ...calico,
  ...cilium,
  ...clients,
  ...etcd,
  ...httpd,
  ...kafka,
  ...multus,
  ...nginx,
  ...rabbitmq,
  ...redis,
  ...wardle,
  ...zookeeper,
};
