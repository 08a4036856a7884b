// The lists beside the transactions: webhooks, notaries, deliveries.

import { COMPLIANCE } from './actions.mjs';
import { element, plural, text } from './elements.mjs';
import { post } from './sandboxCalls.mjs';

export function webhookRow({ id, url, created, subscriptions, enabled }) {
	const [, host, path] = /^https?:\/\/([^/]*)(.*)$/.exec(url);
	return element(
		'li',
		{},
		element(
			'div',
			{ className: 'line' },
			text('span', 'event', `To ${host}`),
			text('span', `chip ${enabled ? 'good' : 'grey'}`, enabled ? 'enabled' : 'disabled'),
		),
		element(
			'div',
			{ className: 'sub' },
			text('span', '', path || '/'),
			text('span', '', `registered ${created.slice(0, 19).replace('T', ' ')}`),
			text('span', 'id', id),
		),
		element('div', { className: 'sub' }, text('span', '', subscriptions.join(', '))),
	);
}

export function deliveryRow(entry) {
	const label = entry.code || (entry.attempts > 0 && entry.error ? 'no answer' : '…');
	return element(
		'li',
		{},
		element(
			'div',
			{ className: 'line' },
			text('span', 'event', entry.event),
			text(
				'span',
				`chip ${entry.code === 200 ? 'good' : label === '…' ? 'grey' : 'bad'}`,
				String(label),
			),
		),
		element(
			'div',
			{ className: 'sub' },
			text('span', '', entry.at.slice(11, 19)),
			text('span', 'id', entry.transactionId || entry.notaryId),
			text('span', '', plural(entry.attempts, 'attempt')),
			entry.next && text('span', '', `next attempt at ${entry.next.slice(11, 19)}`),
		),
		element('div', { className: 'sub' }, text('span', '', entry.url)),
		entry.code !== 200 && entry.error && text('div', 'bad-text', entry.error),
	);
}

export function notaryRow({ id, name, state: code, county, compliance }) {
	const tones = { compliant: 'good', non_compliant: 'bad', needs_review: 'warm', created: 'grey' };
	return element(
		'li',
		{},
		element(
			'div',
			{ className: 'line' },
			text('span', 'event', name),
			text('span', 'note', `${county}, ${code}`),
			text(
				'span',
				`chip ${tones[compliance]}`,
				compliance === 'created' ? 'new' : COMPLIANCE[compliance].toLowerCase(),
			),
		),
		element(
			'div',
			{ className: 'buttons small' },
			...Object.entries(COMPLIANCE)
				.filter(([outcome]) => outcome !== compliance)
				.map(([outcome, label]) =>
					element('button', {
						className: 'quiet',
						textContent: label,
						'aria-label': `${label}: ${name}`,
						'data-key': `${id}/${outcome}`,
						onclick: () => post(`/sandbox/notaries/${id}/${outcome}`),
					}),
				),
		),
	);
}
