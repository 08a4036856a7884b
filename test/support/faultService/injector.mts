import { createHash } from 'node:crypto';

import { FAULTS } from './faults.mts';
import type { Fault, Target } from './types.mts';

export interface Injection {
	fault: Fault;
	/** How many requests are struck; 1 without it, Infinity for always. */
	times?: number;
	/** How many fitting requests are let through before. */
	after?: number;
}

export interface RandomFaults {
	seed: number;
	/** Between 0 and 1: how many requests are struck. */
	rate: number;
	/** Faults that never end by themselves; false without it. */
	endless?: boolean;
	only: (fault: Fault, target: Target) => boolean;
}

/** What a test holds of a fault that it has injected. */
export interface Injected {
	fault: Fault;
	/** How many requests were struck. */
	struck: number;
}

interface Armed extends Injected {
	left: number;
	skip: number;
}

/** Chooses the fault for each request. */
export class Injector {
	private readonly armed: Armed[] = [];
	private random?: { wish: RandomFaults; count: number };

	inject({ fault, times: left = 1, after: skip = 0 }: Injection): Injected {
		const armed = { fault, struck: 0, left, skip };
		this.armed.push(armed);
		return armed;
	}

	/**
	 * From now on, requests are struck at random. The n-th request after this call meets the same
	 * fault for the same seed, as long as it is the same sort of request.
	 */
	randomFaults(wish: RandomFaults): void {
		this.random = { wish, count: 0 };
	}

	clear(): void {
		this.armed.length = 0;
		this.random = undefined;
	}

	pick(target: Target): Fault | undefined {
		// The count goes on for requests that an injected fault strikes, so that both can be mixed.
		const byChance = this.random && this.draw(target, this.random);
		return this.pickInjected(target) ?? byChance;
	}

	/** The fault of `pick` did not strike after all, because the service itself refused. */
	giveBack(fault: Fault): void {
		const armed = this.armed.find((one) => one.fault === fault && one.struck > 0);
		if (!armed) return;
		armed.struck--;
		armed.left++;
	}

	private pickInjected(target: Target): Fault | undefined {
		for (const armed of this.armed) {
			if (armed.left <= 0 || !armed.fault.appliesTo(target)) continue;
			if (armed.skip-- > 0) continue;
			armed.left--;
			armed.struck++;
			return armed.fault;
		}
		return undefined;
	}

	private draw(target: Target, random: { wish: RandomFaults; count: number }): Fault | undefined {
		const { seed, rate, endless = false, only } = random.wish;
		const [chance, choice] = twoNumbers(seed, random.count++);
		if (chance >= rate) return undefined;
		const fitting = FAULTS.filter(
			(fault) =>
				!fault.heavy &&
				(endless || !fault.endless) &&
				only(fault, target) &&
				fault.appliesTo(target),
		);
		return fitting[Math.floor(choice * fitting.length)];
	}
}

/** Two numbers from 0 to 1 that depend on seed and position alone. */
function twoNumbers(seed: number, position: number): [number, number] {
	const bytes = createHash('sha256').update(`${seed}:${position}`).digest();
	return [bytes.readUInt32BE(0) / 2 ** 32, bytes.readUInt32BE(4) / 2 ** 32];
}
