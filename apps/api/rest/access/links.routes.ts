import { Body, Controller, Header, Param, Post, UseGuards } from '@nestjs/common';
import { ApiBadRequestResponse, ApiCreatedResponse, ApiOperation } from '@nestjs/swagger';
import { ClusterLinks, nouns, type Caller } from '@terrarium/platform';
import { ClusterGuard } from '../../gate/cluster.guard.js';
import { CurrentCaller } from '../../gate/current-caller.js';

/** /v1/clusters/:id/links: what is in a cluster, for a browser that has no key. */
@Controller('v1/clusters/:id/links')
@UseGuards(ClusterGuard)
export class LinksRoutes {
  constructor(private readonly links: ClusterLinks) {}

  @Post()
  @Header('cache-control', 'no-store')
  @ApiOperation({
    operationId: 'createLink',
    summary: 'Make a link that opens a port of a pod or a Service, a node port or an Ingress in a browser',
  })
  @ApiCreatedResponse({ standardSchema: nouns.Link, description: 'The link, which is shown this once.' })
  @ApiBadRequestResponse({ description: 'It has no host name, or clusters have none here that a browser finds.' })
  async create(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: nouns.NewLink }) link: nouns.NewLink,
  ): Promise<nouns.Link> {
    return this.links.create(caller, id, link);
  }
}
