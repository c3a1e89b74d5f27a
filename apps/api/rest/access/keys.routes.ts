import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import {
  ApiCreatedResponse,
  ApiForbiddenResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
} from '@nestjs/swagger';
import { Keys, nouns, type Caller } from '@terrarium/platform';
import { CurrentCaller } from '../../gate/current-caller.js';

/** /v1/keys: the keys of the caller's tenant. */
@Controller('v1/keys')
@ApiForbiddenResponse({ description: 'The scope of the key is not manage.' })
export class KeysRoutes {
  constructor(private readonly keys: Keys) {}

  @Post()
  @ApiOperation({ operationId: 'createKey', summary: 'Make a key of a scope, for you or another user' })
  @ApiCreatedResponse({ standardSchema: nouns.CreatedKey, description: 'The key, which is shown this once.' })
  create(
    @CurrentCaller() caller: Caller,
    @Body({ schema: nouns.NewKey }) key: nouns.NewKey,
  ): Promise<nouns.CreatedKey> {
    return this.keys.create(caller, key);
  }

  @Get()
  @ApiOperation({ operationId: 'listKeys', summary: 'List your keys, oldest first' })
  @ApiOkResponse({ standardSchema: nouns.KeyList, description: 'One page, without the keys themselves.' })
  list(@CurrentCaller() caller: Caller, @Query({ schema: nouns.Page }) page: nouns.Page): Promise<nouns.KeyList> {
    return this.keys.list(caller, page);
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiOperation({ operationId: 'revokeKey', summary: 'Revoke a key, and the tokens made with it, at once' })
  @ApiNoContentResponse({ description: 'The key is refused from now on.' })
  revoke(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<void> {
    return this.keys.revoke(caller, id);
  }
}
