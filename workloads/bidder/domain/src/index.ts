export { type Ad, AdStore, type Budget, BudgetStore } from './ads.js';
export { isBiddable, runAuction } from './auction.js';
export { type Clock, clockFrom } from './clock.js';
export type { BidRequest } from './request.js';
export type { BidResponse } from './response.js';
export { type Settings, settingsFrom } from './settings.js';
