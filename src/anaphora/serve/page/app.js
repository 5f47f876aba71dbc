import { startLanguage } from "./i18n.js";
await startLanguage();
