import { Body, Controller, Delete, Get, Header, HttpCode, Param, Post, Query } from '@nestjs/common';
import {
  ApiCreatedResponse,
  ApiForbiddenResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
} from '@nestjs/swagger';
import { Clusters, nouns, Tokens, type Caller } from '@terrarium/platform';
import { CurrentCaller } from '../../gate/current-caller.js';

/** /v1/clusters/:id/tokens: tokens of one cluster, for front ends, so that no key reaches a browser. */
@Controller('v1/clusters/:id/tokens')
export class TokensRoutes {
  constructor(
    private readonly clusters: Clusters,
    private readonly tokens: Tokens,
  ) {}

  @Post()
  @Header('cache-control', 'no-store')
  @ApiOperation({
    operationId: 'createToken',
    summary: 'Make a token of this cluster, for REST, GraphQL, subscriptions, watches and kubectl',
  })
  @ApiCreatedResponse({ standardSchema: nouns.CreatedToken, description: 'The token, which is shown this once.' })
  @ApiForbiddenResponse({ description: 'The scope of the key does not suffice, or there are too many tokens.' })
  async create(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: nouns.NewToken }) token: nouns.NewToken,
  ): Promise<nouns.CreatedToken> {
    await this.clusters.findRow(caller, id);
    return this.tokens.create(caller, id, token);
  }

  @Get()
  @ApiOperation({ operationId: 'listTokens', summary: 'List the valid tokens of this cluster, oldest first' })
  @ApiOkResponse({ standardSchema: nouns.TokenList, description: 'One page, without the tokens themselves.' })
  async list(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Query({ schema: nouns.Page }) page: nouns.Page,
  ): Promise<nouns.TokenList> {
    await this.clusters.findRow(caller, id);
    return this.tokens.list(caller, id, page);
  }

  @Delete(':tokenId')
  @HttpCode(204)
  @ApiOperation({ operationId: 'revokeToken', summary: 'Revoke a token at once, one of a kubeconfig file too' })
  @ApiNoContentResponse({ description: 'The token is refused from now on.' })
  async revoke(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Param('tokenId') tokenId: string,
  ): Promise<void> {
    await this.clusters.findRow(caller, id);
    return this.tokens.revoke(caller, id, tokenId);
  }
}
