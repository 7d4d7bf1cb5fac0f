import { Module } from '@nestjs/common';
import { settingsFrom } from 'bidder-domain';
import { AdsRepository } from './ads.repository.js';
import { BudgetsRepository } from './budgets.repository.js';
import { SETTINGS } from './settings.js';

@Module({
  providers: [
    { provide: SETTINGS, useFactory: () => settingsFrom(process.env) },
    AdsRepository,
    BudgetsRepository,
  ],
  exports: [SETTINGS, AdsRepository, BudgetsRepository],
})
export class AdsModule {}
