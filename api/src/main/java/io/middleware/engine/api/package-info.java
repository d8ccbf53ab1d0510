/**
 * The kinds App, Component and Group of users and of the engine: specs, statuses, templates;
 * labels, reasons and what all kinds share.
 */
package io.middleware.engine.api;
