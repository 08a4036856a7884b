// The console: gets the state of the sandbox every second and shows it. Each button makes one call
// below /sandbox.

import { element, emptyNote, text } from './elements.mjs';
import { clearMessage, showMessage } from './message.mjs';
import { getState, NOT_RESPONDING, post } from './sandboxCalls.mjs';
import { deliveryRow, notaryRow, webhookRow } from './sideLists.mjs';
import { refusals, transactionCard } from './transactions.mjs';

const REFRESH_MS = 1000;

const $ = (id) => document.getElementById(id);
/** What each part of the page was last built from. */
const shown = new Map();
let state;

/** Each state has newly signed links, which alone are no reason to build a part again. */
const comparable = (value) =>
	JSON.stringify(value).replace(/(expires|nonce|signature)=[^"&]*/g, '');

/** Builds a part of the page again if its data has changed, and keeps the focus. */
function update(id, data, build) {
	const key = comparable(data);
	if (shown.get(id) === key) return;
	shown.set(id, key);
	const focused = document.activeElement?.getAttribute('data-key');
	$(id).replaceChildren(...build());
	if (focused) document.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus();
}

function updateList(id, entries, row, emptyWords) {
	update(id, entries, () => [
		entries.length > 0
			? element('ul', { className: 'card list' }, ...entries.map(row))
			: emptyNote(emptyWords),
	]);
}

function render() {
	const filter = $('filter').value.trim().toLowerCase();
	const transactions = state.transactions.filter((item) =>
		[item.name, item.id, item.status, item.detailed_status, item.address, ...item.numbers]
			.join(' ')
			.toLowerCase()
			.includes(filter),
	);
	$('time').textContent = `${state.now.slice(0, 19).replace('T', ' ')} UTC`;
	$('profile').textContent = state.profile === 'full' ? '' : 'documented endpoints only';
	$('speed').value = String(state.speed);
	const all = state.transactions.length;
	$('transaction-count').textContent = filter ? `${transactions.length} of ${all}` : all || '';
	$('delivery-count').textContent = state.deliveries.length || '';
	const noTransactions = filter
		? 'No transactions match.'
		: 'No transactions yet. Run a workflow that creates one, and it appears here.';
	// The empty note depends on the filter too.
	update('transactions', [transactions, noTransactions, [...refusals]], () =>
		transactions.length > 0 ? transactions.map(transactionCard) : [emptyNote(noTransactions)],
	);
	updateList(
		'deliveries',
		state.deliveries,
		deliveryRow,
		'No deliveries yet. Deliveries to your workflows appear here.',
	);
	updateList(
		'webhooks',
		state.webhooks,
		webhookRow,
		'No webhooks yet. Publish a workflow that starts with the trigger.',
	);
	updateList('notaries', state.notaries, notaryRow, 'No notaries yet.');
	$('problems-section').hidden = state.problems.length === 0;
	update('problems', state.problems, () =>
		state.problems.map((problem) => text('li', '', problem)),
	);
}

async function refresh() {
	try {
		state = await getState();
		clearMessage(NOT_RESPONDING);
		render();
	} catch {
		showMessage(NOT_RESPONDING);
	}
}

for (const button of document.querySelectorAll('[data-advance-seconds]'))
	button.onclick = () =>
		post('/sandbox/clock/advance', { seconds: Number(button.dataset.advanceSeconds) });
$('speed').onchange = () => post('/sandbox/clock/speed', { speed: Number($('speed').value) });
$('add-notary').onclick = () => post('/sandbox/notaries', {});
$('filter').oninput = () => state && render();
document.addEventListener('sandbox-called', refresh);
setInterval(refresh, REFRESH_MS);
refresh();
