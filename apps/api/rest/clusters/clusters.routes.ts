import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query, Res } from '@nestjs/common';
import {
  ApiCreatedResponse,
  ApiForbiddenResponse,
  ApiHeader,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiUnprocessableEntityResponse,
} from '@nestjs/swagger';
import { ClusterPauses, Clusters, nouns, type Caller } from '@terrarium/platform';
import type { FastifyReply } from 'fastify';
import { CurrentCaller } from '../../gate/current-caller.js';
import { IdempotencyKey } from '../idempotency-key.js';

const QUOTA = { description: 'A quota is used up, or the scope of the key does not suffice.' };
const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  required: false,
  description: 'A second request with the same key and body gives what the first one has made.',
} as const;
const OTHER_REQUEST = { description: 'The Idempotency-Key was used for another request.' };
const CLUSTER = { standardSchema: nouns.Cluster, description: 'The cluster.' };

/** /v1/clusters: the platform's own REST. */
@Controller('v1/clusters')
export class ClustersRoutes {
  constructor(
    private readonly clusters: Clusters,
    private readonly pauses: ClusterPauses,
  ) {}

  @Post()
  @ApiOperation({ operationId: 'createCluster', summary: 'Make a cluster' })
  @ApiCreatedResponse({ standardSchema: nouns.Cluster, description: 'The cluster, ready to use.' })
  @ApiOkResponse({ standardSchema: nouns.Cluster, description: 'The cluster that the same request has made before.' })
  @ApiForbiddenResponse(QUOTA)
  @ApiHeader(IDEMPOTENCY_KEY)
  @ApiUnprocessableEntityResponse(OTHER_REQUEST)
  async create(
    @CurrentCaller() caller: Caller,
    @Body({ schema: nouns.NewCluster }) cluster: nouns.NewCluster,
    @IdempotencyKey() idempotencyKey: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<nouns.Cluster> {
    const { items, existed } = await this.clusters.createMany(caller, [cluster], idempotencyKey);
    void reply.status(existed ? 200 : 201);
    return items[0]!;
  }

  @Post('batch')
  @ApiOperation({ operationId: 'createClusters', summary: 'Make up to 200 clusters at once, all or none' })
  @ApiCreatedResponse({ standardSchema: nouns.CreatedClusters, description: 'The clusters, ready to use.' })
  @ApiOkResponse({ standardSchema: nouns.CreatedClusters, description: 'Those that the same request has made before.' })
  @ApiForbiddenResponse(QUOTA)
  @ApiHeader(IDEMPOTENCY_KEY)
  @ApiUnprocessableEntityResponse(OTHER_REQUEST)
  async createBatch(
    @CurrentCaller() caller: Caller,
    @Body({ schema: nouns.NewClusterBatch }) batch: nouns.NewClusterBatch,
    @IdempotencyKey() idempotencyKey: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<nouns.CreatedClusters> {
    const { items, existed } = await this.clusters.createBatch(caller, batch, idempotencyKey);
    void reply.status(existed ? 200 : 201);
    return { items };
  }

  @Get()
  @ApiOperation({ operationId: 'listClusters', summary: 'List your clusters, oldest first' })
  @ApiOkResponse({ standardSchema: nouns.ClusterList, description: 'One page.' })
  list(
    @CurrentCaller() caller: Caller,
    @Query({ schema: nouns.ClusterQuery }) query: nouns.ClusterQuery,
  ): Promise<nouns.ClusterList> {
    return this.clusters.list(caller, query);
  }

  @Get(':id')
  @ApiOperation({ operationId: 'getCluster', summary: 'Read a cluster' })
  @ApiOkResponse(CLUSTER)
  get(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<nouns.Cluster> {
    return this.clusters.get(caller, id);
  }

  @Patch(':id')
  @ApiOperation({ operationId: 'updateCluster', summary: 'Change a cluster’s name and labels, or put off its end' })
  @ApiOkResponse(CLUSTER)
  update(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: nouns.ClusterPatch }) patch: nouns.ClusterPatch,
  ): Promise<nouns.Cluster> {
    return this.clusters.update(caller, id, patch);
  }

  @Post(':id/pause')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'pauseCluster',
    summary: 'Stop the time in a cluster; it can still be read and written',
  })
  @ApiOkResponse(CLUSTER)
  pause(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<nouns.Cluster> {
    return this.pauses.pause(caller, id);
  }

  @Post(':id/resume')
  @HttpCode(200)
  @ApiOperation({ operationId: 'resumeCluster', summary: 'Let the time in a paused cluster go on' })
  @ApiOkResponse(CLUSTER)
  resume(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<nouns.Cluster> {
    return this.pauses.resume(caller, id);
  }

  @Delete(':id')
  @ApiOperation({ operationId: 'deleteCluster', summary: 'Delete a cluster and its history' })
  @ApiNoContentResponse({ description: 'There is none of this id any more.' })
  @HttpCode(204)
  delete(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<void> {
    return this.clusters.delete(caller, id);
  }
}
