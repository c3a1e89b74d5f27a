import { Controller, Get, Param, Query, UseGuards } from '@nestjs/common';
import { ApiForbiddenResponse, ApiOkResponse, ApiOperation, ApiUnprocessableEntityResponse } from '@nestjs/swagger';
import { nouns } from '@terrarium/platform';
import { ClusterGuard } from '../../gate/cluster.guard.js';
import { CurrentRequest } from '../../gate/current-caller.js';
import type { RequestContext } from '../../gate/request-context.js';
import { Questions } from '../../graphql/why/questions.js';

/** Who did what inside a cluster, when, and because of what. */
@Controller('v1/clusters/:id/timeline')
@UseGuards(ClusterGuard)
export class TimelineRoutes {
  constructor(private readonly questions: Questions) {}

  @Get()
  @ApiOperation({ operationId: 'getTimeline', summary: 'Who did what in a cluster, when, and because of what' })
  @ApiOkResponse({ standardSchema: nouns.Timeline, description: 'One page, the newest change first.' })
  @ApiUnprocessableEntityResponse({ description: 'A filter is not understood.' })
  @ApiForbiddenResponse({ description: 'The cluster’s own rules do not let the caller ask.' })
  async list(
    @CurrentRequest() context: RequestContext,
    @Param('id') id: string,
    @Query({ schema: nouns.TimelineQuery }) query: nouns.TimelineQuery,
  ): Promise<nouns.Timeline> {
    return this.questions.timeline(context, id, query);
  }
}
