/** How often n8n is asked whether something is done, and how long at most. */
export const POLL_INTERVAL_MS = 150;
export const DEFAULT_TIMEOUT_MS = 60_000;

export async function sleep(ms: number): Promise<void> {
	await new Promise((resolve) => setTimeout(resolve, ms));
}
