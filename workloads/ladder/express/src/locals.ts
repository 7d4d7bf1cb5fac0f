/** What middlewares leave for those after them. */
export interface Locals {
  /** How many hooks a request has gone through. */
  passed: number;
  /** Whom its token names. */
  user: string;
}
