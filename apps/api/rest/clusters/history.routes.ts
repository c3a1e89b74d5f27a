import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiGoneResponse, ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { Histories, nouns, type Caller } from '@terrarium/platform';
import { CurrentCaller } from '../../gate/current-caller.js';

const GONE = { description: 'The moment is no longer retained.' };

/** What a cluster was. Its objects are read by kubectl at /clusters/<id>@<moment>. */
@Controller('v1/clusters/:id')
export class HistoryRoutes {
  constructor(private readonly histories: Histories) {}

  @Get('history')
  @ApiOperation({ operationId: 'getHistory', summary: 'Which revisions of a cluster can be read' })
  @ApiOkResponse({ standardSchema: nouns.History, description: 'From the oldest to the latest.' })
  describe(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<nouns.History> {
    return this.histories.describe(caller, id);
  }

  @Get('diff')
  @ApiOperation({ operationId: 'diffClusters', summary: 'How two moments of a cluster, or two clusters, differ' })
  @ApiOkResponse({ standardSchema: nouns.Diff, description: 'One page of objects.' })
  @ApiGoneResponse(GONE)
  diff(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Query({ schema: nouns.DiffQuery }) query: nouns.DiffQuery,
  ): Promise<nouns.Diff> {
    return this.histories.diff(caller, id, query);
  }
}
