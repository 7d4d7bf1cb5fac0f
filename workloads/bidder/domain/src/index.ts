export { AdStore, BudgetStore } from './ads.js';
export type { ServedAd } from './answer.js';
export { isBiddable, type Means, runAuction } from './auction.js';
export { BidLog } from './bid-log.js';
export { type Clock, clockFrom } from './clock.js';
export type { BidRequest } from './request.js';
export type { BidResponse } from './response.js';
export { type Settings, settingsFrom } from './settings.js';
