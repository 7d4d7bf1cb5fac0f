/** What everything that is fetched from elsewhere is told. */
export interface DownloadContext {
  /** The folder of the cache. */
  cache: string;
  /** Aborted: give it up, and leave nothing of it behind. */
  signal: AbortSignal;
  /** Says what takes a while. */
  say: (text: string) => void;
}
