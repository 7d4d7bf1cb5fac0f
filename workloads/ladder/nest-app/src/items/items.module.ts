import { Module } from '@nestjs/common';
import { ItemsService } from './items.service.js';

@Module({ providers: [ItemsService], exports: [ItemsService] })
export class ItemsModule {}
