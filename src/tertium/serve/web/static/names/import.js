// The form that sends a file of names: the text that was chosen is part of the address.
import { submit } from "/static/forms.js";

const form = document.getElementById("import");
form.addEventListener("submit", (event) => {
  event.preventDefault();
  event.stopPropagation();  // forms.js listens to the document, and would send it once more
  form.dataset.method = "POST";
  form.dataset.encoding = "multipart";
  form.dataset.next = "reload";
  form.setAttribute("action", `${form.dataset.base}/${form.elements.target.value}/file`);
  form.elements.target.disabled = true;  // it is in the address already
  submit(form).finally(() => { form.elements.target.disabled = false; });
});
form.elements.file.addEventListener("change", () => {
  const name = form.elements.file.files[0]?.name.toLowerCase() ?? "";
  if (/\.(muc|sgml?|txt)$/.test(name)) form.elements.format.value = "muc";
  if (/\.(conll\d*|i?ob\w*|bio|tsv)$/.test(name)) form.elements.format.value = "conll";
  if (/\.(jsonl?|ndjson)$/.test(name)) form.elements.format.value = "jsonl";
});
document.documentElement.dataset.ready = "yes";
