/**
 * The Apps of users, with the Components and Groups that the engine makes of them; what all kinds
 * share.
 */
package io.middleware.engine.api;
