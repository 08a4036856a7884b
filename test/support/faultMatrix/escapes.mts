import { runInThisContext } from 'node:vm';

/**
 * Collects what nothing catches. Jest gives its tests a copy of `process`, at which no such event
 * arrives, so the real one is taken.
 */
export function collectEscapes(): { escapes: string[]; stop: () => void } {
	const real = runInThisContext('process') as NodeJS.Process;
	const escapes: string[] = [];
	const note = (reason: unknown) =>
		void escapes.push(reason instanceof Error ? (reason.stack ?? reason.message) : String(reason));
	const events = ['unhandledRejection', 'uncaughtExceptionMonitor'] as const;
	for (const event of events) real.on(event, note);
	return {
		escapes,
		stop: () => {
			for (const event of events) real.off(event, note);
		},
	};
}
