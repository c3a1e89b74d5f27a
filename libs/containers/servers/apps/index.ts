import type { Program } from '../../../engine/kernel/process/program.js';
import { programs as busyboxHttpd } from './busybox-httpd.js';
import { programs as courses } from './courses.js';
import { programs as echoBasic } from './echo-basic.js';
import { programs as echoServers } from './echo-servers.js';
import { programs as httpbin } from './httpbin.js';
import { programs as imageServer } from './image-server.js';
import { programs as loads } from './loads.js';
import { programs as podinfo } from './podinfo.js';
import { programs as python } from './python.js';
import { programs as registry } from './registry/registry.js';
import { programs as shops } from './shops/index.js';
import { programs as stress } from './stress.js';
import { programs as stressNg } from './stress-ng.js';
import { programs as vault } from './vault.js';

/** Servers of sample applications, loads, and what authors describe. */
export const programs: Readonly<Record<string, Program>> = {
  ...busyboxHttpd,
  ...courses,
  ...echoBasic,
  ...echoServers,
  ...httpbin,
  ...imageServer,
  ...loads,
  ...podinfo,
  ...python,
  ...registry,
  ...shops,
  ...stress,
  ...stressNg,
  ...vault,
};
