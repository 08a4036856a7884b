import type { IDataObject } from 'n8n-workflow';

import { newDocument } from './input.mts';
import type { Kept, KeptDocument, KeptTransaction, State } from './kept.mts';

/** Somebody who works in the service's own pages. The number or ID says in which transaction. */
export class Colleague {
	private readonly kept: Kept;

	constructor(kept: Kept) {
		this.kept = kept;
	}

	private ofName = (number: unknown, name: string): KeptDocument =>
		this.kept.find(number).documents.find((document) => document.name === name)!;

	editField(number: unknown, name: string, value: unknown): void {
		this.kept.find(number).fields[name] = value as IDataObject[string];
	}

	/** Moves the first box of a document up. */
	moveBox(number: unknown, name: string, by = 100): void {
		const [place] = this.ofName(number, name).designations;
		place.y = Number(place.y) + by;
	}

	changeRequirement(number: unknown, name: string, requirement: string): void {
		this.ofName(number, name).requirement = requirement;
	}

	/** Adds a paper that no item has. */
	addPaper(number: unknown, name: string, bytes: Buffer, requirement = 'readonly'): void {
		const paper = { resource: bytes.toString('base64'), filename: name, requirement };
		this.kept.find(number).documents.push(newDocument(paper));
	}

	removeSigner(number: unknown, email: string): void {
		const transaction = this.kept.find(number);
		transaction.signers = transaction.signers.filter((signer) => signer.email !== email);
	}

	recall(number: unknown, reason = 'The borrower has withdrawn'): void {
		this.set(number, 'recalled').recallReason = reason;
	}

	complete = (number: unknown) => this.set(number, 'completed');
	decline = (number: unknown) => this.set(number, 'declined');
	cancel = (number: unknown) => this.set(number, 'canceled');
	expire = (number: unknown) => this.set(number, 'expired');

	private set(number: unknown, state: State): KeptTransaction {
		return Object.assign(this.kept.find(number), { state });
	}
}
