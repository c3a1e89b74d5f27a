import { Controller, Get, Param, Query, UseGuards } from '@nestjs/common';
import { ApiBadRequestResponse, ApiForbiddenResponse, ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { nouns } from '@terrarium/platform';
import { ClusterGuard } from '../../gate/cluster.guard.js';
import { CurrentRequest } from '../../gate/current-caller.js';
import type { RequestContext } from '../../gate/request-context.js';
import { KubeObjects } from '../../graphql/objects/kube-objects.js';

/** What happens to a packet inside a cluster. */
@Controller('v1/clusters/:id/trace')
@UseGuards(ClusterGuard)
export class TraceRoutes {
  constructor(private readonly kubeObjects: KubeObjects) {}

  @Get()
  @ApiOperation({ operationId: 'traceConnection', summary: 'What happens to the first packet of a connection' })
  @ApiOkResponse({ standardSchema: nouns.Trace, description: 'The verdict, and every hop with what decided there.' })
  @ApiBadRequestResponse({ description: 'One of the ends is not there, or is not understood.' })
  @ApiForbiddenResponse({ description: 'The cluster’s own rules do not let the caller ask.' })
  async trace(
    @CurrentRequest() context: RequestContext,
    @Param('id') id: string,
    @Query({ schema: nouns.TraceQuery }) query: nouns.TraceQuery,
  ): Promise<nouns.Trace> {
    return this.kubeObjects.trace(context, id, query);
  }
}
