//! Logins, sessions, people, tokens, and the record of acts.

mod acts;
mod admission;
mod cookie;
mod list;
mod login;
mod openid;
mod openid_callback;
mod openid_login;
mod password;
mod pin;
mod push;
mod second_factor;
mod session;
mod signature;
mod tokens;

pub(crate) use acts::{__path_acts, acts};
pub(crate) use admission::{
    __path_admit, __path_end_access, __path_end_delay, __path_end_sessions, __path_restore_access,
    admit, end_access, end_delay, end_sessions, restore_access,
};
pub(crate) use list::{__path_list, list};
pub(crate) use login::{__path_login, login};
pub(crate) use openid::{__path_remove_openid, remove_openid};
pub(crate) use openid_callback::{__path_finish_openid, finish_openid};
pub(crate) use openid_login::{__path_begin_openid, begin_openid};
pub(crate) use password::{__path_password, password};
pub(crate) use pin::{
    __path_read_pin, __path_remove_own_pin, __path_remove_pin, __path_set_pin, read_pin,
    remove_own_pin, remove_pin, set_pin,
};
pub(crate) use push::{
    __path_read_push, __path_subscribe_push, __path_unsubscribe_push, read_push, subscribe_push,
    unsubscribe_push,
};
pub(crate) use second_factor::{
    __path_draw_factor, __path_remove_factor, __path_set_factor, draw_factor, remove_factor,
    set_factor,
};
pub(crate) use session::{__path_logout, __path_session, logout, session};
pub(crate) use signature::{__path_sign, sign};
pub(crate) use tokens::{
    __path_create_token, __path_list_tokens, __path_revoke_tokens, create_token, list_tokens,
    revoke_tokens,
};
