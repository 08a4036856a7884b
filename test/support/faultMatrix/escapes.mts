/** Collects what nothing catches. */
export function collectEscapes(): { escapes: string[]; stop: () => void } {
	const escapes: string[] = [];
	const note = (reason: unknown) =>
		void escapes.push(reason instanceof Error ? (reason.stack ?? reason.message) : String(reason));
	const events = ['unhandledRejection', 'uncaughtExceptionMonitor'] as const;
	for (const event of events) process.on(event, note);
	return {
		escapes,
		stop: () => {
			for (const event of events) process.off(event, note);
		},
	};
}
