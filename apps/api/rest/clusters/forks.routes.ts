import { Body, Controller, Param, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiForbiddenResponse, ApiGoneResponse, ApiOperation } from '@nestjs/swagger';
import { Forks, nouns, type Caller } from '@terrarium/platform';
import { CurrentCaller } from '../../gate/current-caller.js';

/** Clusters that go on from a moment of another one. */
@Controller('v1/clusters/:id/forks')
export class ForksRoutes {
  constructor(private readonly forks: Forks) {}

  @Post()
  @ApiOperation({ operationId: 'forkCluster', summary: 'Make up to 200 clusters that go on from a moment of this one' })
  @ApiCreatedResponse({ standardSchema: nouns.CreatedClusters, description: 'The clusters, ready to use.' })
  @ApiForbiddenResponse({ description: 'A quota is used up, or the scope of the key does not suffice.' })
  @ApiGoneResponse({ description: 'The moment is no longer retained.' })
  fork(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: nouns.NewForks }) forks: nouns.NewForks,
  ): Promise<nouns.CreatedClusters> {
    return this.forks.fork(caller, id, forks);
  }
}
