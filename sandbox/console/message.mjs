// The line under the header that says what went wrong.

const place = document.getElementById('message');

export const showMessage = (words) => {
	place.textContent = words;
};

export const clearMessage = (words) => {
	if (place.textContent === words) place.textContent = '';
};
