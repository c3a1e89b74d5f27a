import { Controller, Get, Param, Query, UseGuards } from '@nestjs/common';
import { ApiForbiddenResponse, ApiOkResponse, ApiOperation, ApiUnprocessableEntityResponse } from '@nestjs/swagger';
import { nouns } from '@terrarium/platform';
import { ClusterGuard } from '../../gate/cluster.guard.js';
import { CurrentRequest } from '../../gate/current-caller.js';
import type { RequestContext } from '../../gate/request-context.js';
import { KubeObjects } from '../../graphql/objects/kube-objects.js';

/** Who talks to whom inside a cluster. */
@Controller('v1/clusters/:id/flows')
@UseGuards(ClusterGuard)
export class FlowRoutes {
  constructor(private readonly kubeObjects: KubeObjects) {}

  @Get()
  @ApiOperation({ operationId: 'listFlows', summary: 'Who talked to whom lately' })
  @ApiOkResponse({ standardSchema: nouns.FlowReading, description: 'The latest flows first.' })
  @ApiUnprocessableEntityResponse({ description: 'The time is not understood.' })
  @ApiForbiddenResponse({ description: 'The cluster’s own rules do not let the caller ask.' })
  async list(
    @CurrentRequest() context: RequestContext,
    @Param('id') id: string,
    @Query({ schema: nouns.FlowQuery }) query: nouns.FlowQuery,
  ): Promise<nouns.FlowReading> {
    return this.kubeObjects.flows(context, id, query);
  }
}
