import type { Type } from '@nestjs/common';
import { ChecksResolvers } from './checks/checks.resolvers.js';
import { ClockResolvers } from './clock/clock.resolvers.js';
import { ClusterLifeResolvers } from './clusters/cluster-life.resolvers.js';
import { HistoryResolvers } from './history/history.resolvers.js';
import { LabsResolvers } from './labs/labs.resolvers.js';
import { LogResolvers } from './logs/log.resolvers.js';
import { PictureResolvers } from './picture/picture.resolvers.js';
import { Resolvers } from './resolvers.js';
import { TableResolvers } from './tables/table.resolvers.js';
import { ActivityResolvers } from './why/activity.resolvers.js';
import { WhyResolvers } from './why/why.resolvers.js';

/** All that the schema is made of. */
export const ALL_RESOLVERS: readonly Type[] = [
  Resolvers,
  ChecksResolvers,
  ClusterLifeResolvers,
  ClockResolvers,
  WhyResolvers,
  ActivityResolvers,
  PictureResolvers,
  HistoryResolvers,
  LabsResolvers,
  TableResolvers,
  LogResolvers,
];
