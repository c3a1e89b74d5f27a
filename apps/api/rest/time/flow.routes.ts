import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiForbiddenResponse, ApiOkResponse, ApiOperation, ApiUnprocessableEntityResponse } from '@nestjs/swagger';
import { nouns, type Caller } from '@terrarium/platform';
import { CurrentCaller, CurrentRequest } from '../../gate/current-caller.js';
import type { RequestContext } from '../../gate/request-context.js';
import { KubeObjects } from '../../graphql/objects/kube-objects.js';

/** Who talks to whom inside a cluster. */
@Controller('v1/clusters/:id/flows')
export class FlowRoutes {
  constructor(private readonly kubeObjects: KubeObjects) {}

  @Get()
  @ApiOperation({ operationId: 'listFlows', summary: 'Who talked to whom lately' })
  @ApiOkResponse({ standardSchema: nouns.FlowReading, description: 'The latest flows first.' })
  @ApiUnprocessableEntityResponse({ description: 'The time is not understood.' })
  @ApiForbiddenResponse({ description: 'The cluster’s own rules do not let the caller ask.' })
  async list(
    @CurrentCaller() caller: Caller,
    @CurrentRequest() context: RequestContext,
    @Param('id') id: string,
    @Query({ schema: nouns.FlowQuery }) query: nouns.FlowQuery,
  ): Promise<nouns.FlowReading> {
    await this.kubeObjects.mustOwn(caller, id);
    return this.kubeObjects.flows(context, id, query);
  }
}
