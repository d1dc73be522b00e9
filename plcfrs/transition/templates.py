"""The feature templates of the papers, and others; `plcfrs.transition.features` explains them."""

# Coavoux and Crabbé (2017), table 2.
GAP_TEMPLATES = {
    "baseline": """
        q0tw q1tw q2tw q3tw d0tc d0wc s0tc s0wc s1tc s1wc s2tc s2wc s0lwc s0rwc d0lwc d0rwc
        s0wd0w s0wd0c s0cd0w s0cd0c q0wd0w q0td0w q0wd0c q0td0c q0ws0w q0ts0w q0ws0c q0ts0c
        q0wq1w q0wq1t q0tq1w q0tq1t s0cs1wd0c s0cs1cd0c q0ws0cd0c q0ts0cd0c q0ws0wd0c q0ts0wd0c
        s0cs1cd0w q0ts0cd0w
    """,
    "extended": """
        s3tc s3wc s1lwc s1rwc d1tc d1wc d2tc d2wc s2cs0cs1cd0c s0cd1cd0c s0cd1cs1cd0c
    """,
    "spans": """
        d0cw_lw_r s0cw_lw_r d0cw_ls0w_r d0cw_rs0w_l d0w_lw_rq0w d0w_lw_rq1w d0cw_rs0w_lo
        d0ct_lw_r d0cw_lt_r d0ct_lt_r s0ct_lw_r s0cw_lt_r s0ct_lt_r
        d0ct_ls0w_r d0cw_ls0t_r d0ct_ls0t_r d0ct_rs0w_l d0cw_rs0t_l d0ct_rs0t_l
        d0w_lw_rq0t d0w_lw_rq1t d0cw_lo d0ct_lo s0cw_ro s0ct_ro
    """,
}

# Maier and Lichte (2016), appendix A.
QUEUE_TEMPLATES = {
    "baseline": """
        s0tc s0wc s1tc s1wc s2tc s2wc s3tc s3wc q0wt q1wt q2wt q3wt
        s0lwc s0rwc s0uwc s1lwc s1rwc s1uwc
        s0ws1w s0ws1c s0cs1w s0cs1c s0wq0w s0wq0t s0cq0w s0cq0t s1wq0w s1wq0t s1cq0w s1cq0t
        q0wq1w q0wq1t q0tq1w q0tq1t
        s0cs1cs2w s0cs1cs2c s0cs1cq0w s0cs1cq0t s0cs1wq0w s0cs1wq0t s0ws1cs2c s0ws1cq0t
    """,
    "extended": """
        s0llwc s0lrwc s0luwc s0rlwc s0rrwc s0ruwc s0ulwc s0urwc s0uuwc
        s1llwc s1lrwc s1luwc s1rlwc s1rrwc s1ruwc
    """,
    "disco": """
        s0xwc s1xwc s2xwc s3xwc s0xtc s1xtc s2xtc s3xtc s0xy s1xy s2xy s3xy
        s0xs1c s0xs1w s0xs1x s0ws1x s0cs1x s0xs2c s0xs2w s0xs2x s0ws2x s0cs2x
        s0ys1y s0ys2y s0xq0t s0xq0w
    """,
    # Not in the paper: the spans of SR-GAP, for the two elements to reduce.
    "spans": """
        s0cw_lw_r s1cw_lw_r s0cw_ls1w_r s0cw_rs1w_l s0w_lw_rq0w s0w_lw_rq1w s0cw_rs1w_lo
        s0ct_lw_r s0cw_lt_r s0ct_lt_r s1ct_lw_r s1cw_lt_r s1ct_lt_r
        s0ct_ls1w_r s0cw_ls1t_r s0ct_ls1t_r s0ct_rs1w_l s0cw_rs1t_l s0ct_rs1t_l
        s0w_lw_rq0t s0w_lw_rq1t s0cw_lo s0ct_lo s1cw_ro s1ct_ro
    """,
    # Not in the paper: the tokens that SKIPSHIFT-1 to 6 shift, and the token after the top.
    "skips": """
        s0cq1t s0cq2t s0cq3t s0cq4t s0cq5t s0cq6t
        q0tq2w q0tq3w q0tq4w q0tq5w q0tq6w
        s0cq0tq1t s0cq0tq2t s0cq0tq3t s0cq0tq4t s0cq0tq5t s0cq0tq6t
        s0cn0i s0cn0tn0i s0cn0wn0i s0cs1cn0i s0wn0tn0i n0tn1tn0i q0tn0tn0i s0cq0tn0tn0i
    """,
    "full-queue": "q*wt",
}
